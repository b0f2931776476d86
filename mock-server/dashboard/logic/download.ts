/** Saves a text as a file, byte for byte as UTF-8. */
export function download(name: string, text: string, type = 'application/json'): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // Some browsers read the address some time after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
