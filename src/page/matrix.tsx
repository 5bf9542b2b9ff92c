import type { FC } from 'hono/jsx';
import { CHANGE_KINDS, type Change, type ChangeKind } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { KINDS_IN_FILES } from '../domain/kind.ts';
import type { Kind } from '../domain/resource.ts';
import type { Model } from './model.ts';
import { listed, Mark, Text } from './text.tsx';
import { ACTIONS, actionWord, kindWord, sentence } from './words.ts';

/** Up to this many accounts have room for their name. */
const FEW_ACCOUNTS = 16;
/** Live names that no file declares, beyond these, are only in the plan. */
const UNMANAGED_ROWS = 200;

/** Of several changes of one address, the one that a person has to see. */
const WORST: readonly ChangeKind[] = [
  'recall',
  'blocked',
  'missed',
  'replace',
  'create',
  'retire',
  'archive',
  'pause',
  'resume',
  'activate',
  'done',
  'keep',
  'unmanaged',
];

interface Row {
  readonly kind: Kind;
  readonly name: string;
  readonly byAccount: ReadonlyMap<string, Change>;
}

/** Every resource on every account. */
export const Matrix: FC<{ readonly model: Model }> = ({ model }) => {
  const { accounts } = model;
  const { rows, left } = rowsOf(model);
  const isFew = accounts.length <= FEW_ACCOUNTS;
  return (
    <section id="matrix" aria-labelledby="h-mx" class={isFew ? undefined : 'wide'}>
      <div class="sec-h">
        <div>
          <h2 id="h-mx">Matrix</h2>
          <p>
            {accounts.length === 0
              ? 'No accounts in this workspace.'
              : rows.length === 0
                ? 'No resources.'
                : 'Every resource on every account. A gap means missing: not on that account, and in no file for it.'}
          </p>
        </div>
      </div>
      {accounts.length === 0 || rows.length === 0 ? null : (
        <>
          <Table rows={rows.slice(0, ROWS_AT_ONCE)} model={model} name="Matrix table" />
          {chunksOf(rows).map(({ chunk, from }) => (
            <details class="more">
              <summary>
                Rows {from + 1} to {from + chunk.length}
              </summary>
              <Table rows={chunk} model={model} name={`Matrix table from row ${from + 1}`} />
            </details>
          ))}
          {left === 0 ? null : (
            <p class="mute more">and {left} more unmanaged names, which only the plan lists</p>
          )}
          <Key model={model} />
        </>
      )}
    </section>
  );
};

/** Larger tables make a browser slow; the rest opens. */
const ROWS_AT_ONCE = 100;

function chunksOf(
  rows: readonly Row[],
): readonly { readonly chunk: readonly Row[]; readonly from: number }[] {
  const starts = Array.from(
    { length: Math.ceil(rows.length / ROWS_AT_ONCE) },
    (_, index) => index * ROWS_AT_ONCE,
  );
  return starts.slice(1).map((from) => ({ chunk: rows.slice(from, from + ROWS_AT_ONCE), from }));
}

const Table: FC<{ readonly rows: readonly Row[]; readonly model: Model; readonly name: string }> = ({
  rows,
  model,
  name,
}) => {
  const { accounts } = model;
  const kinds = KINDS_IN_FILES.filter((kind) => rows.some((row) => row.kind === kind));
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={name}>
      <table class={accounts.length <= FEW_ACCOUNTS ? 'mx few' : 'mx'}>
        <AccountNames accounts={accounts} />
        {kinds.map((kind) => (
          <tbody>
            <tr>
              <th scope="rowgroup" colspan={accounts.length + 2}>
                {kindWord(kind)}
              </th>
            </tr>
            {rows.filter((row) => row.kind === kind).map((row) => drawRow(row, model))}
          </tbody>
        ))}
      </table>
    </div>
  );
};

const AccountNames: FC<{ readonly accounts: readonly string[] }> = ({ accounts }) => (
  <thead>
    <tr>
      <th scope="col">
        <span>Resource</span>
      </th>
      {accounts.map((alias) => (
        <th scope="col">
          <span>
            <Text text={alias} />
          </span>
        </th>
      ))}
      <th scope="col">
        <span>Accounts</span>
      </th>
    </tr>
  </thead>
);

function rowsOf({ plan }: Model): { readonly rows: readonly Row[]; readonly left: number } {
  const groups = groupBy(plan.changes, ({ address }) => `${address.kind}\n${address.name}`);
  const all = [...groups.values()].flatMap(
    (changes): readonly (Row & { readonly isUnmanaged: boolean })[] => {
      const [first] = changes;
      if (first === undefined) return [];
      const byAccount = new Map<string, Change>();
      for (const change of changes) {
        const known = byAccount.get(change.address.account);
        if (known === undefined || rank(change) < rank(known)) byAccount.set(change.address.account, change);
      }
      const isUnmanaged = changes.every(({ action }) => action === 'unmanaged');
      return [{ kind: first.address.kind, name: first.address.name, byAccount, isUnmanaged }];
    },
  );
  const sorted = all.toSorted(
    (left, right) =>
      Number(left.isUnmanaged) - Number(right.isUnmanaged) || compareText(left.name, right.name),
  );
  const unmanaged = sorted.filter((row) => row.isUnmanaged);
  const shown = new Set(unmanaged.slice(0, UNMANAGED_ROWS));
  return {
    rows: sorted.filter((row) => !row.isUnmanaged || shown.has(row)),
    left: unmanaged.length - shown.size,
  };
}

function rank({ action }: Change): number {
  return WORST.indexOf(action);
}

function drawRow({ name, byAccount }: Row, model: Model) {
  const { accounts, cardOf, title } = model;
  return (
    <tr>
      <th scope="row">
        <Text text={name} />
      </th>
      {accounts.map((alias) => {
        const change = byAccount.get(alias);
        if (change === undefined)
          return (
            <td>
              <span class="vh">missing</span>
            </td>
          );
        const { action } = change;
        const card = cardOf.get(change)?.id ?? (action === 'unmanaged' ? 'unmanaged' : null);
        const state = (
          <>
            <i aria-hidden="true">{ACTIONS[action].glyph}</i>
            <span class="vh">{actionWord(title, action)}</span>
          </>
        );
        return (
          <td>
            {card === null ? (
              <span class={action}>{state}</span>
            ) : (
              <a class={action} href={`#${card}`}>
                {state}
              </a>
            )}
          </td>
        );
      })}
      <td class="tot">
        <Text text={totalWords(byAccount, accounts)} />
      </td>
    </tr>
  );
}

const MISSING_NAMED = 2;

/** `11 of 12, not jonas`. */
function totalWords(byAccount: ReadonlyMap<string, Change>, accounts: readonly string[]): string {
  const missing = accounts.filter((alias) => !byAccount.has(alias));
  if (missing.length === 0) return accounts.length === 1 ? '1' : `all ${accounts.length}`;
  const words = `${byAccount.size} of ${accounts.length}`;
  return missing.length <= MISSING_NAMED && byAccount.size > MISSING_NAMED
    ? `${words}, not ${listed(missing)}`
    : words;
}

const Key: FC<{ readonly model: Model }> = ({ model: { plan, title } }) => {
  const used = CHANGE_KINDS.filter((kind) => plan.changes.some(({ action }) => action === kind));
  return (
    <ul class="key" aria-label="Key">
      {used.map((kind) => (
        <li>
          <Mark class={kind} glyph={ACTIONS[kind].glyph} />
          {sentence(actionWord(title, kind))}
        </li>
      ))}
      <li>Gap: missing</li>
    </ul>
  );
};
