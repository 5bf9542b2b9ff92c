import type { FC } from 'hono/jsx';
import { templateParts, valueOf } from './fill.ts';
import type { Model } from './model.ts';
import { Text } from './text.tsx';

/** A text with the variables of one account, and banned words marked. */
export const Filled: FC<{ readonly text: string; readonly account: string; readonly model: Model }> = ({
  text,
  account,
  model,
}) => {
  const values = model.plan.variables?.[account] ?? {};
  const banned = bannedPattern(model.plan.policy?.banned_words ?? []);
  return (
    <>
      {templateParts(text).map((part) =>
        typeof part === 'string' ? (
          <Marked text={part} banned={banned} />
        ) : (
          // Only letters, digits and _.
          <span class="var" data-var={part.variable}>
            <Text text={valueOf(values, part.variable) ?? `{{${part.variable}}}`} />
          </span>
        ),
      )}
    </>
  );
};

const Marked: FC<{ readonly text: string; readonly banned: RegExp | null }> = ({ text, banned }) => {
  if (banned === null) return <Text text={text} />;
  return (
    <>
      {text.split(banned).map((piece, index) =>
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
};

const patterns = new WeakMap<readonly string[], RegExp | null>();

/** Plain words and phrases, whole and in any case. Patterns are not marked; their findings are listed. */
function bannedPattern(words: readonly string[]): RegExp | null {
  const known = patterns.get(words);
  if (known !== undefined) return known;
  const plain = words.filter((word) => !/^\/.+\/[a-z]*$/s.test(word)).map((word) => word.trim());
  const pattern =
    plain.length === 0
      ? null
      : new RegExp(
          `(?<![\\p{L}\\p{N}])(${plain.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+')).join('|')})(?![\\p{L}\\p{N}])`,
          'giu',
        );
  patterns.set(words, pattern);
  return pattern;
}
