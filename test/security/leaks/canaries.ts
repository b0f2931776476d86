/** Planted in every run, and searched in all that it writes. */
export const canaries = {
  prompt: 'Nine copper lanterns for the velvet otter, at dusk + dawn/noon',
  'webhook secret': 'whsec_Q2FuYXJ5U2VjcmV0L0Zvci9UaGUrTGVha3M/QXVkaXQ=',
  'other webhook secret': 'whsec_T3RoZXJTZWNyZXQvRm9yL1RoZStMZWFrcz9BdWRpdEE=',
  'access token': 'canary.Zq3wX9+pL/7rTtYvBn8.mK2sD4fGhJ6',
  'control token': 'Ctl-canary-8uYhGt6Rf/5Ed+3Ws2Qa1Zx',
  'foreign key': 'canary/live+Jk8Lm3Np6Qr9St2Uv5Wx',
} as const;
