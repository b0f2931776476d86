const paths = {
  overview: 'M2.5 9.5h3v4h-3zM6.5 2.5h3v11h-3zM10.5 6.5h3v7h-3z',
  generate: 'M8 1.5l1.6 4.4L14 7.5l-4.4 1.6L8 13.5 6.4 9.1 2 7.5l4.4-1.6z',
  generations: 'M3 2.5h7l3 3v8H3zM5.5 7.5h5M5.5 10.5h5',
  requests: 'M2 5h11M10 2l3 3-3 3M14 11H3M6 8l-3 3 3 3',
  keys: 'M9.5 6.5a3 3 0 1 0-2.6 3L8 10.5h1.5V12H11v1.5h2.5V11L9.4 7z',
  webhooks:
    'M5.5 8.5L8 4.2M8 4.2a2 2 0 1 1 .1 0M10.5 7.5l2 3.8M12.5 11.3a1.6 1.6 0 1 0 .1 0M4 11.8h6M3.6 11.8a1.6 1.6 0 1 0 0 .1',
  billing: 'M2 3.5h12v9H2zM2 6.5h12M4.5 10h3',
  deliveries: 'M14 2L1.8 6.8l5 2.4L9.2 14zM14 2L6.8 9.2',
  events: 'M9 1.5L3.5 9H8l-1 5.5L12.5 7H8z',
  time: 'M8 1.8a6.2 6.2 0 1 0 .1 0M8 4.5V8l2.6 1.7',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
} as const;

export type IconName = keyof typeof paths;

/** A line drawing of 16 pixels. It always stands next to text, so it is hidden from assistive technology. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.3"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
