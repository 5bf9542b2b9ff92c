import type { FC } from 'hono/jsx';
import { canonical } from '../domain/digest.ts';
import { accountsIn, type ChangeGroup } from '../render/groups.ts';
import { formatTimesIn } from '../render/values.ts';
import { count } from '../render/wording.ts';
import { Difference, wordsOf } from './differences.tsx';
import type { Card } from './model.ts';
import { listed, Text } from './text.tsx';
import { fieldPhrase, fieldWords } from './words.ts';

/** Values that are listed at once; the rest opens. */
const SHOWN_MAX = 5;
const NAMES_MAX = 4;

interface Row {
  readonly label: string;
  readonly accounts: readonly string[];
  readonly old?: string | null;
  readonly text: string;
}

/** What is not the same on all accounts of a card. */
export const Exceptions: FC<{ readonly card: Card }> = ({ card }) => {
  const { variables, varying } = card.group;
  if (card.action === 'create' && card.group.changes.every(({ content }) => content !== undefined))
    return null;
  const rows: readonly Row[] = [
    ...varying.flatMap(({ path, values }) =>
      values.map(({ value, accounts }) => ({
        label: fieldWords(path),
        accounts,
        old: wordsOf(path, value.old, card.zone),
        text: wordsOf(path, value.new, card.zone) ?? 'nothing',
      })),
    ),
    ...variables.flatMap(({ name, values }) =>
      values.map((value) => ({
        label: `{{${name}}}`,
        accounts: value.accounts,
        text: value.value === '' ? 'nothing' : value.value,
      })),
    ),
  ];
  return (
    <>
      <Variants card={card} />
      {rows.length === 0 ? null : <Values rows={rows} />}
    </>
  );
};

/** The accounts of the same card on which something else differs as well. */
const Variants: FC<{ readonly card: Card }> = ({ card: { variants, group, zone } }) => {
  if (variants.length === 0) return null;
  const number = variants.reduce((sum, { changes }) => sum + changes.length, 0);
  const draw = (variant: ChangeGroup) => drawVariant(variant, group, zone);
  return (
    <div class="blk">
      <h4>{count(number, 'account differs', 'accounts differ')} from the rest</h4>
      <ul class="exc">{variants.slice(0, SHOWN_MAX).map(draw)}</ul>
      {variants.length > SHOWN_MAX ? (
        <details class="more">
          <summary>and {variants.length - SHOWN_MAX} more</summary>
          <ul class="exc">{variants.slice(SHOWN_MAX).map(draw)}</ul>
        </details>
      ) : null}
    </div>
  );
};

function drawVariant(variant: ChangeGroup, main: ChangeGroup, zone: string) {
  const known = new Set(main.shared.fields.map((field) => canonical(field)));
  const own = variant.shared.fields.filter((field) => !known.has(canonical(field)));
  const paths = new Set(variant.shared.fields.map(({ path }) => path));
  const missing = main.shared.fields.filter(({ path }) => !paths.has(path));
  const accounts = accountsIn(variant.changes);
  return (
    <li>
      <p>
        <b>
          <Text text={accounts.length <= NAMES_MAX ? listed(accounts) : `${accounts.length} accounts`} />
        </b>
        {missing.length === 0 ? null : (
          <span class="mute">
            {' '}
            No difference in <Text text={listed(missing.map(({ path }) => fieldPhrase(path)))} />.
          </span>
        )}
      </p>
      {own.length === 0 && missing.length === 0
        ? variant.shared.reasons.map((reason) => (
            <p>
              <Text text={formatTimesIn(reason, zone)} />
            </p>
          ))
        : own.map((field) => <Difference field={field} zone={zone} />)}
      {variant.varying.flatMap(({ path, values }) =>
        values.map(({ value, accounts: some }) => (
          <p>
            <Text text={`${listed(some)}: ${fieldWords(path)}`} />{' '}
            <del>
              <Text text={wordsOf(path, value.old, zone) ?? 'nothing'} />
            </del>{' '}
            <ins>
              <Text text={wordsOf(path, value.new, zone) ?? 'nothing'} />
            </ins>
          </p>
        )),
      )}
    </li>
  );
}

const Values: FC<{ readonly rows: readonly Row[] }> = ({ rows }) => {
  return (
    <div class="blk">
      <h4>{count(rows.length, 'value')} by account</h4>
      <ul class="exc">{rows.slice(0, SHOWN_MAX).map(drawRow)}</ul>
      {rows.length > SHOWN_MAX ? (
        <details class="more">
          <summary>and {rows.length - SHOWN_MAX} more</summary>
          <ul class="exc">{rows.slice(SHOWN_MAX).map(drawRow)}</ul>
        </details>
      ) : null}
    </div>
  );
};

function drawRow({ label, accounts, old, text }: Row) {
  return (
    <li>
      <b>
        <Text text={accounts.length <= NAMES_MAX ? listed(accounts) : `${accounts.length} accounts`} />
      </b>{' '}
      <span class="mute">
        <Text text={label} />
      </span>{' '}
      {old === undefined ? null : (
        <>
          <span class="lbl">live:</span>{' '}
          <del>
            <Text text={old ?? 'nothing'} />
          </del>{' '}
          <span class="lbl">file:</span>{' '}
        </>
      )}
      {old === undefined ? (
        <Text text={text} />
      ) : (
        <ins>
          <Text text={text} />
        </ins>
      )}
    </li>
  );
}
