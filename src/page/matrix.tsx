import type { FC } from 'hono/jsx';
import type { Change, ChangeKind } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { type Kind, KINDS_IN_FILES } from '../domain/resource.ts';
import { ActionKeys } from './action-keys.tsx';
import type { Model } from './model.ts';
import { listed, Text } from './text.tsx';
import { actionWord, kindWord } from './words.ts';

/** Up to this many accounts show their name. */
const FEW_ACCOUNTS = 16;
/** Up to this many, they fit on a narrow screen, too. */
const NARROW_ACCOUNTS = 6;
/** Above this many, paper lies on its side. */
const PORTRAIT_ACCOUNTS = 24;
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
  return (
    <section
      id="matrix"
      aria-labelledby="h-mx"
      class={accounts.length > PORTRAIT_ACCOUNTS ? 'wide' : undefined}
    >
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
          <div class="scroll" tabindex={0} role="region" aria-label="Matrix table">
            <Tables rows={rows} model={model} />
          </div>
          {left === 0 ? null : (
            <p class="mute more">and {left} more unmanaged names, which only the plan lists</p>
          )}
          <Key model={model} />
        </>
      )}
    </section>
  );
};

/** As many columns as fit on a landscape page of paper. */
const PANEL_ACCOUNTS = 60;
/** So few cells are drawn while a person scrolls to them, and fit on a landscape page. */
const PART_CELLS = 1_500;
/** So many parts are drawn at once. Their height is known, and what is below stays where it is. */
const PARTS_DRAWN = 2;

/**
 * One table, or several with equal columns: below each other, because a browser then draws only those in sight, and side
 * by side, because no more columns fit on a page of paper. On the screen they look like one, under the same names.
 */
const Tables: FC<{ readonly rows: readonly Row[]; readonly model: Model }> = ({ rows, model }) => {
  const panels = evenly(model.accounts, PANEL_ACCOUNTS);
  const parts = evenly(rows, Math.ceil(PART_CELLS / (panels[0]?.items.length ?? 1)));
  if (panels.length === 1 && parts.length === 1)
    return <Table rows={rows} accounts={model.accounts} model={model} />;
  return (
    <div class="parts">
      <div class="heads" aria-hidden="true">
        {panels.map(({ items }) => (
          <table class="mx">
            <AccountNames accounts={items} />
          </table>
        ))}
      </div>
      {parts.map((part, index) => (
        <div>
          {panels.map((panel) => (
            <div class={parts.length > PARTS_DRAWN ? `part late q${panel.items.length}` : 'part'}>
              <Table
                rows={part.items}
                accounts={panel.items}
                model={model}
                before={parts[index - 1]?.items.at(-1)?.kind}
                name={`Rows ${part.words}, accounts ${panel.words}`}
              />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
};

/** Pieces of nearly equal length, none longer than `max`, with their place in words: `51 to 100`. */
function evenly<Item>(
  items: readonly Item[],
  max: number,
): readonly { readonly items: readonly Item[]; readonly words: string }[] {
  const length = Math.ceil(items.length / Math.ceil(items.length / max));
  return Array.from({ length: Math.ceil(items.length / length) }, (_, index) => {
    const from = index * length;
    const own = items.slice(from, from + length);
    return { items: own, words: `${from + 1} to ${from + own.length}` };
  });
}

const Table: FC<{
  readonly rows: readonly Row[];
  readonly accounts: readonly string[];
  readonly model: Model;
  /** The kind of the row above the table. */
  readonly before?: Kind | undefined;
  readonly name?: string;
}> = ({ rows, accounts, model, before, name }) => {
  const kinds = KINDS_IN_FILES.filter((kind) => rows.some((row) => row.kind === kind));
  return (
    <table class={name === undefined ? layoutOf(accounts) : 'mx'} aria-label={name}>
      <AccountNames accounts={accounts} />
      {kinds.map((kind) => (
        <tbody>
          <tr class={kind === before ? 'again' : undefined}>
            <th scope="rowgroup" colspan={accounts.length + 2}>
              <span>{kindWord(kind)}</span>
            </th>
          </tr>
          {rows.filter((row) => row.kind === kind).map((row) => drawRow(row, accounts, model))}
        </tbody>
      ))}
    </table>
  );
};

/** Names are upright where they do not fit. */
function layoutOf({ length }: readonly string[]): string {
  if (length > FEW_ACCOUNTS) return 'mx';
  return length > NARROW_ACCOUNTS ? 'mx few' : 'mx few across';
}

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
      KINDS_IN_FILES.indexOf(left.kind) - KINDS_IN_FILES.indexOf(right.kind) ||
      Number(left.isUnmanaged) - Number(right.isUnmanaged) ||
      compareText(left.name, right.name),
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

/** A cell has its word only; the style sheet shows the glyph in its place. Each element more counts ten thousand times. */
function drawRow({ name, byAccount }: Row, accounts: readonly string[], model: Model) {
  const { cardOf, title } = model;
  return (
    <tr>
      <th scope="row">
        <Text text={name} />
      </th>
      {accounts.map((alias) => {
        const change = byAccount.get(alias);
        if (change === undefined) return <td>missing</td>;
        const { action } = change;
        const card = cardOf.get(change)?.id ?? (action === 'unmanaged' ? 'unmanaged' : null);
        const word = actionWord(title, action);
        return (
          <td>
            {card === null ? (
              <span class={action}>{word}</span>
            ) : (
              <a class={action} href={`#${card}`}>
                {word}
              </a>
            )}
          </td>
        );
      })}
      <td class="tot">
        <Text text={totalWords(byAccount, model.accounts)} />
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

const Key: FC<{ readonly model: Model }> = ({ model: { plan, title } }) => (
  <ul class="key" aria-label="Key">
    <ActionKeys actions={plan.changes.map(({ action }) => action)} title={title} />
    <li>Gap: missing</li>
  </ul>
);
