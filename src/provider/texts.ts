/** The marker is there, and the provider may change the end of a text. */
export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** At most so many characters, with an ellipsis where the rest was. */
export function shortened(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
