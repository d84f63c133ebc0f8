/** Bytes for people: `734 MB`, `1.2 GB` (powers of ten, as stores and file managers count). */
export function readableBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
