import type { FC, PropsWithChildren } from 'hono/jsx';
import { formatCommand } from '../domain/command-line.ts';
import type { Deadline } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { formatTimesIn } from '../render/values.ts';
import { count } from '../render/wording.ts';
import { zoneFor, type Card, type Model } from './model.ts';
import { Command, Mark, Text, Time } from './text.tsx';
import { ACTIONS, DEADLINES, leftWords, sentence } from './words.ts';

/** Warnings and deadlines beyond this many are below: in their cards, and in the calendar. */
const ROWS_MAX = 12;
const NAMES_MAX = 3;

/** What a person has to see before a yes. It is never folded. */
export const Attention: FC<{ readonly model: Model }> = ({ model }) => {
  const { cards, plan } = model;
  const irreversible = model.title === 'plan' ? cards.filter(({ isIrreversible }) => isIrreversible) : [];
  const blocked = cards.filter(({ action }) => action === 'blocked');
  const errors = plan.diagnostics.filter(({ severity }) => severity === 'error');
  const warned = cards.filter(({ warnings }) => warnings.length > 0);
  const inCards = new Set(plan.changes.map(({ address }) => formatAddress(address)));
  const general = plan.diagnostics.filter(
    ({ severity, address }) => severity === 'warning' && (address === undefined || !inCards.has(address)),
  );
  const deadlines = plan.deadlines ?? [];
  const isEmpty = [irreversible, blocked, errors, warned, general, deadlines].every(
    ({ length }) => length === 0,
  );
  return (
    <div class="must">
      <h2>{model.title === 'plan' ? 'Before you approve' : 'What to know first'}</h2>
      {isEmpty ? (
        <p class="calm">Nothing needs a decision.</p>
      ) : (
        <ul>
          <Errors model={model} />
          {irreversible.length === 0 ? null : (
            <Row mark="recall" glyph="−" words={`${sumOf(irreversible)} cannot be undone`}>
              {irreversible.map((card) => (
                <p>
                  <Link card={card} />: {ACTIONS[card.action].verb}. <Text text={card.shared.undo} />
                </p>
              ))}
            </Row>
          )}
          {blocked.length === 0 ? null : (
            <Row mark="blocked" glyph="!" words={`${sumOf(blocked)} blocked`}>
              <Blocked cards={blocked} />
            </Row>
          )}
          <Warnings warned={warned} general={general.map(({ message }) => message)} model={model} />
          {deadlines.length === 0 ? null : <Deadlines deadlines={deadlines} model={model} />}
        </ul>
      )}
    </div>
  );
};

const Row: FC<
  PropsWithChildren<{ readonly mark: string; readonly glyph: string; readonly words: string }>
> = ({ mark, glyph, words, children }) => (
  <li>
    <h3>
      <Mark class={mark} glyph={glyph} />
      {words}
    </h3>
    <div>{children}</div>
  </li>
);

function sumOf(cards: readonly Card[]): number {
  return cards.reduce((sum, { changes }) => sum + changes.length, 0);
}

/** `Welcome series on 12 accounts`. */
const Link: FC<{ readonly card: Card }> = ({ card: { id, names, accounts, kind } }) => (
  <>
    <a href={`#${id}`}>
      <Text text={names.length <= NAMES_MAX ? names.join(', ') : `${names.length} ${kind}s`} />
    </a>{' '}
    on {accounts.length === 1 ? <Text text={accounts[0] ?? ''} /> : `${accounts.length} accounts`}
  </>
);

const Errors: FC<{ readonly model: Model }> = ({ model }) => {
  const errors = model.plan.diagnostics.filter(({ severity }) => severity === 'error');
  const messages = [...new Set(errors.map(({ message }) => message))];
  if (messages.length === 0) return null;
  return (
    <Row
      mark="recall"
      glyph="!"
      words={`${count(messages.length, 'error')}${model.title === 'plan' ? ': apply refuses this plan' : ''}`}
    >
      {messages.map((message) => (
        <p>
          <Text text={formatTimesIn(message, model.zone)} />
        </p>
      ))}
    </Row>
  );
};

/** One line for each reason, with the command that allows it. */
const Blocked: FC<{ readonly cards: readonly Card[] }> = ({ cards }) => (
  <>
    {cards.map((card) => (
      <p>
        <Link card={card} />: <Text text={formatTimesIn(card.shared.reasons[0] ?? '', card.zone)} />
      </p>
    ))}
    {[...groupBy(cards, ({ shared }) => shared.needs.join(' ')).values()].map(([first, ...others]) => {
      const needs = first?.shared.needs ?? [];
      return needs.length === 0 ? null : (
        <p class="do">
          To allow{' '}
          {others.length === 0
            ? 'it'
            : `these ${sumOf([...(first === undefined ? [] : [first]), ...others])}`}
          : <Command line={formatCommand('apply', ...needs.flatMap((name) => ['--allow', name]))} />
        </p>
      );
    })}
  </>
);

const Warnings: FC<{
  readonly warned: readonly Card[];
  readonly general: readonly string[];
  readonly model: Model;
}> = ({ warned, general, model }) => {
  const rows = warned.flatMap((card) => card.warnings.map((warning) => ({ card, warning })));
  const messages = [...new Set(general)];
  const total = rows.length + messages.length;
  if (total === 0) return null;
  return (
    <Row mark="warn" glyph="!" words={count(total, 'warning')}>
      {messages.map((message) => (
        <p>
          <Text text={formatTimesIn(message, model.zone)} />
        </p>
      ))}
      {rows.slice(0, ROWS_MAX).map(({ card, warning }) => (
        <p>
          <Link card={{ ...card, accounts: warning.accounts }} />:{' '}
          <Text text={formatTimesIn(warning.message, card.zone)} />
        </p>
      ))}
      {rows.length > ROWS_MAX ? (
        <p class="mute">and {rows.length - ROWS_MAX} more, in their changes below</p>
      ) : null}
    </Row>
  );
};

const Deadlines: FC<{ readonly deadlines: readonly Deadline[]; readonly model: Model }> = ({
  deadlines,
  model,
}) => (
  <li>
    <div>
      <h3>
        <span class="mk" aria-hidden="true">
          <svg
            width="12"
            height="12"
            viewBox="0 0 12 12"
            fill="none"
            stroke="currentColor"
            stroke-width="1.5"
          >
            <circle cx="6" cy="6" r="4.75" />
            <path d="M6 3.25V6l1.75 1.25" />
          </svg>
        </span>
        {count(deadlines.length, 'deadline')}
      </h3>
      <p class="sub" id="left-label">
        Time left when planned
      </p>
    </div>
    <div>
      <ul class="due">
        {deadlines.slice(0, ROWS_MAX).map(({ at, what, kind, name, accounts }) => (
          <li>
            <p>
              <Text text={name} /> on{' '}
              {accounts.length === 1 ? <Text text={accounts[0] ?? ''} /> : `${accounts.length} accounts`}
              {what === 'sends' ? ' ' : ': '}
              {DEADLINES[what]}
            </p>
            <span>
              <Time at={at} zone={zoneOf({ kind, name, accounts }, model)} />
            </span>
            <Left atMs={Date.parse(at)} fromMs={model.plannedMs} />
          </li>
        ))}
      </ul>
      {deadlines.length > ROWS_MAX ? (
        <p class="mute">{sentence(`and ${deadlines.length - ROWS_MAX} later ones, in the calendar below`)}</p>
      ) : null}
    </div>
  </li>
);

/** The zone in which the time of a deadline's resource is declared. */
function zoneOf({ kind, name, accounts }: Pick<Deadline, 'kind' | 'name' | 'accounts'>, model: Model) {
  const index = model.plan.changes.find(
    ({ address }) => address.kind === kind && address.name === name && address.account === accounts[0],
  )?.content;
  return zoneFor(index === undefined ? null : (model.contents[index] ?? null), model.zone);
}

/** The time left from the plan on. The script says it from now. */
const Left: FC<{ readonly atMs: number; readonly fromMs: number | null }> = ({ atMs, fromMs }) =>
  Number.isNaN(atMs) || fromMs === null ? (
    <span />
  ) : (
    <span class="left" data-at={new Date(atMs).toISOString()}>
      {leftWords(atMs - fromMs)}
    </span>
  );
