/** The object that a text is, whatever is in it; null if it is none, as when a crash has cut it short. */
export function wholeObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
