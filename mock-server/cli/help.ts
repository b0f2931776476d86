export const COMMANDS = ['mock', 'trigger', 'listen', 'keys', 'audit', 'doctor'] as const;

export type CommandName = (typeof COMMANDS)[number];

export const OVERVIEW = `contentgen: the reference server of the ContentGen API, and tools around it

Usage
  contentgen <command> [options]

Commands
  mock      Start the reference server
  trigger   Raise an event on a running server
  listen    Forward its deliveries to a server of yours
  keys      Create, list, revoke and regenerate API keys
  audit     Send a receiver good and hostile deliveries, report what it did
  doctor    Check URL, key, clock and secret; explain a failing signature

Options
  --help, -h       Help, also of a command: contentgen mock --help
  --version, -v    The version

Examples
  contentgen mock
  contentgen trigger usage_threshold
  contentgen listen --forward-to http://localhost:3000/webhooks`;

const URL_OPTION = `  --url URL              The running server                     [http://127.0.0.1:4010]`;
const JSON_OPTION = '  --json                 Print JSON, for scripts';

export const HELP: Readonly<Record<CommandName, string>> = {
  mock: `Start the reference server.

Usage
  contentgen mock [options]

Options
  --port N               Port, 0 for a free one                 [4010]
  --host HOST            Address to listen on                   [127.0.0.1]
  --data FILE            Keep everything in this file (Node 22.13); without it in memory
  --fsync                With --data: survive a power cut too, slower
  --seed N               Reproducible ids, texts and times
  --clock real|manual    A manual clock moves through the control API alone  [real]
  --quota N              Tokens per month of the organization   [1000000]
  --models A,B           Further model names
  --rate-limit N/S       N requests per S seconds and credential
  --admin-key KEY        Import this admin key (or CONTENTGEN_ADMIN_KEY)
  --generator-url URL    Let an OpenAI-compatible endpoint write the texts
  --generator-model NAME Its model; its key is CONTENTGEN_GENERATOR_KEY
  --strict-https         Refuse http callbacks, loopback included
  --allow-private        Deliver to private addresses, http included
  --expose-control[=HOST,...]
                         Control API and dashboard for other machines, under
                         localhost, an address or one of these names
  --log text|json|none   Lines on standard error                [text]
  --json                 One line on standard output: url, keys, pid

Examples
  contentgen mock
  contentgen mock --data ./contentgen.db --port 8080
  contentgen mock --port 0 --json --log none
  contentgen mock --host 0.0.0.0 --expose-control=mock --allow-private`,

  trigger: `Raise an event on a running server.

Usage
  contentgen trigger EVENT [options]

  EVENT is usage_threshold, invoice_paid, invoice_payment_failed or data_updated.

Options
${URL_OPTION}
  --data JSON            Fields of the payload that are to differ
  --organization ID      Another organization than the first
${JSON_OPTION}

Examples
  contentgen trigger usage_threshold
  contentgen trigger invoice_paid --data '{ "invoice": { "amountDue": 4200 } }'`,

  listen: `Register a loopback endpoint with a running server and forward each delivery, byte for byte and with
its signature, to a server of yours. The registrations are deleted when it ends.

Usage
  contentgen listen --forward-to URL [options]

Options
  --forward-to URL       Your endpoint
  --event EVENT          Only this event; may be given again    [all]
  --secret whsec_...     Sign with this secret                  [the project's signing secret]
  --port N               Port of the loopback endpoint          [a free one]
${URL_OPTION}
  --json                 One line of JSON per delivery

Examples
  contentgen listen --forward-to http://localhost:3000/webhooks
  contentgen listen --forward-to http://localhost:3000/hooks --event invoice_paid`,

  keys: `Create, list, revoke and regenerate API keys. On a server of this machine no key is needed for it.

Usage
  contentgen keys create [--name NAME] [--admin] [--expires-at TIME]
  contentgen keys list
  contentgen keys revoke ID
  contentgen keys regenerate ID [--grace SECONDS]

Options
${URL_OPTION}
  --api-key KEY          Ask with this admin key instead of the control API
  --quiet                Print the key alone
${JSON_OPTION}

Examples
  contentgen keys create --name ci --admin
  export CONTENTGEN_API_KEY=$(contentgen keys create --quiet)`,

  audit: `Send a receiver good, duplicated, tampered, stale, unsigned and otherwise hostile deliveries, and report
what it did. Good ones take effect: audit a receiver of a test. Exit 1 if something is wrong with it.

Usage
  contentgen audit URL [options]

Options
  --secret whsec_...     The receiver's signing secret (or CONTENTGEN_WEBHOOK_SECRET)
  --token TOKEN          Its secret token, if it asks for one
${JSON_OPTION}

Example
  contentgen audit http://localhost:3000/webhooks --secret whsec_...`,

  doctor: `Check what integrations fail on: base URL, key, clock, secret. With a saved request it explains why its
signature fails. Exit 1 if something is wrong.

Usage
  contentgen doctor [options]

Options
  --url URL              Base URL (or CONTENTGEN_BASE_URL)      [http://127.0.0.1:4010]
  --api-key KEY          The key (or CONTENTGEN_API_KEY)
  --secret whsec_...     The signing secret (or CONTENTGEN_WEBHOOK_SECRET)
  --headers FILE         Headers of a saved delivery: lines 'name: value', or a JSON object
  --body FILE            Its body, byte for byte
${JSON_OPTION}

Examples
  contentgen doctor --url https://api.example.com --api-key cg_live_...
  contentgen doctor --secret whsec_... --headers request.headers --body request.body`,
};
