import type { FC } from 'hono/jsx';
import type { Model } from './model.ts';
import { Text } from './text.tsx';

/** A text with the variables of one account, and banned words marked. */
export const Filled: FC<{ readonly text: string; readonly account: string; readonly model: Model }> = ({
  text,
  account,
  model,
}) => {
  const values = model.plan.variables?.[account] ?? {};
  const banned = findBanned(model.plan.policy?.banned_words ?? []);
  return (
    <>
      {splitTemplate(text).map((part) =>
        typeof part === 'string' ? (
          <Marked text={part} banned={banned} />
        ) : (
          // Only letters, digits and _.
          <span class="var" data-var={part.variable}>
            <Text
              text={
                Object.hasOwn(values, part.variable) ? (values[part.variable] ?? '') : `{{${part.variable}}}`
              }
            />
          </span>
        ),
      )}
    </>
  );
};

/** `{{name}}`, or the escape `\{{` of a literal one, as in the files. */
const PLACEHOLDER = /\\\{\{|\{\{\s*([A-Za-z_]\w*)\s*\}\}/g;

/** The parts of a text that is written with variables. Braces that are neither stay as they are. */
function splitTemplate(text: string): readonly (string | { readonly variable: string })[] {
  const parts: (string | { readonly variable: string })[] = [];
  let rest = 0;
  for (const { 0: whole, 1: variable, index } of text.matchAll(PLACEHOLDER)) {
    parts.push(text.slice(rest, index), variable === undefined ? whole.slice(1) : { variable });
    rest = index + whole.length;
  }
  return [...parts, text.slice(rest)].filter((part) => part !== '');
}

const Marked: FC<{ readonly text: string; readonly banned: RegExp | null }> = ({ text, banned }) => (
  <>
    {(banned === null ? [text] : text.split(banned)).map((piece, index) =>
      index % 2 === 1 ? (
        <mark>
          <Text text={piece} />
        </mark>
      ) : (
        <Text text={piece} />
      ),
    )}
  </>
);

const patterns = new WeakMap<readonly string[], RegExp | null>();

/** Plain words and phrases, whole and in any case. Patterns are not marked; their findings are listed. */
function findBanned(words: readonly string[]): RegExp | null {
  const known = patterns.get(words);
  if (known !== undefined) return known;
  const plain = words
    .filter((word) => !/^\/.+\/[a-z]*$/s.test(word))
    .map((word) =>
      word
        .trim()
        .replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
        .replace(/\s+/g, String.raw`\s+`),
    );
  const any = String.raw`(?<![\p{L}\p{N}])(${plain.join('|')})(?![\p{L}\p{N}])`;
  const pattern = plain.length === 0 ? null : new RegExp(any, 'giu');
  patterns.set(words, pattern);
  return pattern;
}
