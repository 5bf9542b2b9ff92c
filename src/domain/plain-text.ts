/**
 * Normalised text, without differences that editors and transports make: Unicode form, line ends, trailing line
 * breaks (CONTENT-12).
 */
export function plainText(text: string | null | undefined): string {
  return (text ?? '').normalize('NFC').replace(/\r\n?/g, '\n').replace(/\n+$/, '');
}
