import type { FC, PropsWithChildren } from 'hono/jsx';
import { formatCommand } from '../domain/command-line.ts';
import type { ChangeKind, Deadline } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import { isIrreversible } from '../render/summary.ts';
import { count } from '../render/wording.ts';
import { zoneFor, type Card, type Model } from './model.ts';
import { Command, Mark, Prose, Text, Time } from './text.tsx';
import { DEADLINES, labelAction, sentence } from './words.ts';

/** Warnings and deadlines beyond this many are below: in their cards, and in the calendar. */
const ROWS_MAX = 12;
const DEADLINES_MAX = 4;
const NAMES_MAX = 3;

/** What a person has to see before a yes. It is never folded. */
export const Attention: FC<{ readonly model: Model }> = ({ model }) => {
  const { cards, plan, title } = model;
  const irreversible = title === 'plan' ? cards.filter(({ shared }) => isIrreversible(shared)) : [];
  const blocked = cards.filter(({ shared }) => shared.action === 'blocked');
  const rows = [
    <Errors model={model} />,
    irreversible.length === 0 ? null : (
      <Row mark="recall" words={`${sumChanges(irreversible)} cannot be undone`}>
        {irreversible.map((card) => (
          <p>
            <Link card={card} accounts={card.accounts} />: {labelAction(title, card.shared.action)}.{' '}
            <Prose text={card.shared.undo} zone={card.zone} />
          </p>
        ))}
      </Row>
    ),
    blocked.length === 0 ? null : <Blocked cards={blocked} />,
    <Warnings model={model} />,
    <Deadlines deadlines={plan.deadlines ?? []} model={model} />,
  ];
  const isEmpty =
    irreversible.length + blocked.length + (plan.deadlines ?? []).length === 0 &&
    plan.diagnostics.every(({ severity }) => severity === 'info');
  return (
    <div class="must">
      <h2>{title === 'plan' ? 'Before you approve' : 'What to know first'}</h2>
      {isEmpty ? <p class="mute">Nothing needs a decision.</p> : <ul>{rows}</ul>}
    </div>
  );
};

const Row: FC<PropsWithChildren<{ readonly mark: ChangeKind; readonly words: string }>> = ({
  mark,
  words,
  children,
}) => (
  <li>
    <h3>
      <Mark action={mark} />
      {words}
    </h3>
    <div>{children}</div>
  </li>
);

function sumChanges(cards: readonly Card[]): number {
  return cards.reduce((sum, { changes }) => sum + changes.length, 0);
}

/** `Welcome series on 12 accounts`. */
const Link: FC<{ readonly card: Card; readonly accounts: readonly string[] }> = ({ card, accounts }) => (
  <>
    <a href={`#${card.id}`}>
      <Text
        text={
          card.names.length <= NAMES_MAX
            ? card.names.join(', ')
            : `${card.names.length} ${card.shared.address.kind}s`
        }
      />
    </a>{' '}
    on <Text text={accounts.length === 1 ? (accounts[0] ?? '') : `${accounts.length} accounts`} />
  </>
);

const Errors: FC<{ readonly model: Model }> = ({ model }) => {
  const errors = model.plan.diagnostics.filter(({ severity }) => severity === 'error');
  const messages = [...new Set(errors.map(({ message }) => message))];
  if (messages.length === 0) return null;
  const refused = model.title === 'plan' ? ': apply refuses this plan' : '';
  return (
    <Row mark="blocked" words={`${count(messages.length, 'error')}${refused}`}>
      {messages.map((message) => (
        <p>
          <Prose text={message} zone={model.zone} />
        </p>
      ))}
    </Row>
  );
};

/** A line for each reason, and the commands that allow them. */
const Blocked: FC<{ readonly cards: readonly Card[] }> = ({ cards }) => (
  <Row mark="blocked" words={`${sumChanges(cards)} blocked`}>
    {cards.map((card) => (
      <p>
        <Link card={card} accounts={card.accounts} />:{' '}
        <Prose text={card.shared.reasons[0] ?? ''} zone={card.zone} />
      </p>
    ))}
    {[...groupBy(cards, ({ shared }) => shared.needs.join(' ')).values()].map((same) => {
      const needs = same[0]?.shared.needs ?? [];
      return needs.length === 0 ? null : (
        <p class="tools">
          To allow {sumChanges(same) === 1 ? 'it' : `these ${sumChanges(same)}`}:{' '}
          <Command line={formatCommand('apply', ...needs.flatMap((name) => ['--allow', name]))} />
        </p>
      );
    })}
  </Row>
);

const Warnings: FC<{ readonly model: Model }> = ({ model: { cards, plan, zone } }) => {
  const inCards = new Set(plan.changes.map(({ address }) => formatAddress(address)));
  const general = plan.diagnostics.filter(
    ({ severity, address }) => severity === 'warning' && (address === undefined || !inCards.has(address)),
  );
  const messages = [...new Set(general.map(({ message }) => message))];
  const rows = cards.flatMap((card) => card.warnings.map((warning) => ({ card, ...warning })));
  if (rows.length + messages.length === 0) return null;
  return (
    <Row mark="blocked" words={count(rows.length + messages.length, 'warning')}>
      {messages.map((message) => (
        <p>
          <Prose text={message} zone={zone} />
        </p>
      ))}
      {rows.slice(0, ROWS_MAX).map(({ card, message, accounts }) => (
        <p>
          <Link card={card} accounts={accounts} />: <Prose text={message} zone={card.zone} />
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
}) =>
  deadlines.length === 0 ? null : (
    <Row mark="missed" words={count(deadlines.length, 'deadline')}>
      {deadlines.slice(0, DEADLINES_MAX).map(({ at, what, kind, name, accounts }) => (
        <p>
          <Time at={at} zone={findZone({ kind, name, accounts }, model)} />: <Text text={name} /> on{' '}
          <Text text={accounts.length === 1 ? (accounts[0] ?? '') : `${accounts.length} accounts`} />
          {what === 'sends' ? ' ' : ', '}
          {DEADLINES[what]}
        </p>
      ))}
      {deadlines.length > DEADLINES_MAX ? (
        <p class="mute">
          {sentence(`and ${deadlines.length - DEADLINES_MAX} later ones, in the calendar below`)}
        </p>
      ) : null}
    </Row>
  );

/** The zone in which the time of a deadline's resource is declared. */
function findZone({ kind, name, accounts }: Pick<Deadline, 'kind' | 'name' | 'accounts'>, model: Model) {
  const index = model.plan.changes.find(
    ({ address }) => address.kind === kind && address.name === name && address.account === accounts[0],
  )?.content;
  return zoneFor(index === undefined ? null : (model.contents[index] ?? null), model.zone);
}
