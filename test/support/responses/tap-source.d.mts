export function tappedSource(text: string): string | undefined;

export function tapMocks(): {
  readonly name: string;
  readonly enforce: 'pre';
  transform(text: string): string | undefined;
};
