/** Shorter parts of a text are copied by the engine itself. */
const SHARED_FROM = 13;

/** The same text in memory of its own: a part of a longer one keeps all of that alive. For what outlives its line. */
export function ownText(text: string): string {
  return text.length < SHARED_FROM ? text : (JSON.parse(JSON.stringify(text)) as string);
}
