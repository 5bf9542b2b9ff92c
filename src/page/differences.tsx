import type { FC } from 'hono/jsx';
import type { FieldDifference } from '../domain/change.ts';
import { assumeVisible } from '../domain/visible.ts';
import { compactJson } from '../render/json.ts';
import { diffLines, type DiffLine, type Piece } from '../render/difference.ts';
import { formatValue } from '../render/values.ts';
import { audienceOf } from './audience.ts';
import { Text } from './text.tsx';
import { fieldWords } from './words.ts';

/** Longer values are shown side by side. */
const SHORT_UNITS = 60;

/** One field: both values on a line, or side by side with the words that differ. */
export const Difference: FC<{ readonly field: FieldDifference; readonly zone: string }> = ({
  field,
  zone,
}) => {
  const [old, wanted] = [field.old, field.new].map((value) => wordsOf(field.path, value, zone));
  if (isShort(old) && isShort(wanted)) {
    return (
      <dl class="fields">
        <dt>
          <Text text={fieldWords(field.path)} />
        </dt>
        <dd class="ch">
          <Value label="live:" text={old} element="del" />
          <Value label="file:" text={wanted} element="ins" />
        </dd>
      </dl>
    );
  }
  const lines = diffLines(linesOf(old), linesOf(wanted));
  const words = fieldWords(field.path);
  return (
    <div class="blk">
      <h4>
        <Text text={words} />
        {words === field.path ? null : (
          <code>
            <Text text={field.path} />
          </code>
        )}
      </h4>
      <div class="sides row">
        <Side label="live:" lines={lines} kept="removed" isEmpty={old === null} />
        <Side label="file:" lines={lines} kept="added" isEmpty={wanted === null} />
      </div>
    </div>
  );
};

const Value: FC<{
  readonly label: string;
  readonly text: string | null | undefined;
  readonly element: 'del' | 'ins';
}> = ({ label, text, element }) => (
  <span>
    <span class="lbl">{label}</span>{' '}
    {text == null ? (
      <span class="mute">nothing</span>
    ) : element === 'del' ? (
      <del dir="auto">
        <Text text={text} />
      </del>
    ) : (
      <ins dir="auto">
        <Text text={text} />
      </ins>
    )}
  </span>
);

const Side: FC<{
  readonly label: string;
  readonly lines: readonly DiffLine[];
  readonly kept: 'removed' | 'added';
  readonly isEmpty: boolean;
}> = ({ label, lines, kept, isEmpty }) => (
  <div>
    <p class="lbl">{label}</p>
    {isEmpty ? (
      <p class="mute">nothing</p>
    ) : (
      <p class="txt" dir="auto">
        {lines.map((line) => drawLine(line, kept))}
      </p>
    )}
  </div>
);

function drawLine(line: DiffLine, kept: 'removed' | 'added') {
  switch (line.kind) {
    case 'gap':
      return (
        <>
          <span class="eq">{`${line.lines} equal lines`}</span>
          {'\n'}
        </>
      );
    case 'changed':
      return (
        <>
          {line.pieces.filter(({ kind }) => kind === 'same' || kind === kept).map(drawPiece)}
          {'\n'}
        </>
      );
    case 'same':
      return (
        <>
          <Text text={line.text} />
          {'\n'}
        </>
      );
    default:
      return line.kind === kept ? (
        <>
          {drawPiece({ kind: line.kind, text: line.text })}
          {'\n'}
        </>
      ) : null;
  }
}

function drawPiece({ kind, text }: Piece) {
  if (kind === 'same') return <Text text={text} />;
  if (text === '') return null;
  return kind === 'removed' ? (
    <del>
      <Text text={text} />
    </del>
  ) : (
    <ins>
      <Text text={text} />
    </ins>
  );
}

/** A value in words; null without a value. */
export function wordsOf(path: string, value: unknown, zone: string): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value) && path.startsWith('audience')) return audienceOf(value);
  return formatValue(path, value, zone) ?? (typeof value === 'string' ? value : compactJson(value));
}

function isShort(text: string | null | undefined): boolean {
  return text == null || (text.length <= SHORT_UNITS && !text.includes('\n'));
}

/** A page is not a terminal: `Text` shows what could disguise a text. */
function linesOf(text: string | null | undefined) {
  return text == null ? [] : text.split(/\r?\n/).map(assumeVisible);
}
