/** Offers a text as a download. */
export function saveFile(filename: string, text: string): void {
  const type = filename.endsWith('.md') ? 'text/markdown' : 'application/json';
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  URL.revokeObjectURL(url);
}
