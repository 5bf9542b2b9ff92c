import { objectKey } from '../domain/knowledge.ts';
import { effectsOf, type Effect } from './effects.ts';
import type { IntentLine, LedgerLine } from './lines.ts';
import { inOrderOfTime } from './order.ts';
import { inOrderOfWords } from './word-times.ts';

/** One thing that a line says of one live object. */
export interface Statement {
  readonly line: LedgerLine;
  readonly effect: Effect;
}

/** Everything that the lines say of live objects, in the order of time. */
export function statementsIn(lines: readonly LedgerLine[]): readonly Statement[] {
  const intents = new Map<string, IntentLine>();
  for (const line of inOrderOfTime(lines)) if (line.type === 'intent') intents.set(line.entry, line);
  return inOrderOfWords(lines, intents).flatMap((line) =>
    effectsOf(line, intents).map((effect) => ({ line, effect })),
  );
}

/** The word that holds of each field of each object, by `wordKey`. */
export function lastStatements(words: readonly Statement[]): ReadonlyMap<string, Statement> {
  const last = new Map<string, Statement>();
  for (const word of words)
    for (const field of Object.keys(word.effect.parts)) last.set(wordKey(word, field), word);
  return last;
}

/** Names a field of the object that the word is about. */
function wordKey(word: Statement, field: string): string {
  return `${aboutKey(word)} ${field}`;
}

/** Names the object that the word is about. */
export function aboutKey({ effect: { accountId, kind, id } }: Statement): string {
  return objectKey(accountId, kind, id);
}
