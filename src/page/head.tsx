import type { FC, PropsWithChildren } from 'hono/jsx';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { writes, type ChangeKind, type Deadline, type DeadlineKind } from '../domain/change.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { listAttention, TO_FANS } from '../render/entries.ts';
import { accountsIn } from '../render/groups.ts';
import { formatPrice } from '../render/values.ts';
import { count } from '../render/wording.ts';
import type { Model, Card, Finding } from './model.ts';
import { listed, Mark, AccountNames, Text, Time, Prose, Command } from './text.tsx';
import { groupBy } from '../domain/group-by.ts';
import { formatAllow } from '../render/summary.ts';
import { formatAddress } from '../domain/resource.ts';

/** What matters first, and what needs a decision. */
export const Head: FC<{ readonly model: Model }> = ({ model }) => (
  <section id="overview" aria-labelledby="title">
    <Where model={model} />
    <h1 id="title">{model.formatHeadline()}</h1>
    <p class="verdict">
      <Text text={describeVerdict(model)} />
    </p>
    <Essentials model={model} />
    <Counts model={model} />
    {model.title === 'preview' && model.plan.diagnostics.length === 0 ? null : <Attention model={model} />}
  </section>
);

const Where: FC<{ readonly model: Model }> = ({ model: { plan, zone, title } }) => {
  const { service, workspace, commit, planned_at: at } = plan;
  const isReal = title !== 'preview' && !service.simulator;
  return (
    <p class="where">
      <span class={isReal ? 'svc' : 'svc sim'}>
        {title === 'preview' ? 'Files only' : isReal ? 'Real service' : 'Simulator'}
      </span>
      {/* The label before it says already that it is a simulator. */}
      <Text text={servicePlace(service).replace(/^simulator /, '')} />
      {workspace === undefined ? null : (
        <b>
          <Text text={workspace} />
        </b>
      )}
      {at === undefined ? null : (
        <span class="end">
          {commit === undefined ? null : (
            <>
              <code>
                <Text text={commit.id.slice(0, 12)} />
              </code>{' '}
            </>
          )}
          {title === 'preview' ? 'read' : 'planned'} <Time at={at} zone={zone} /> <span id="age" hidden />
        </span>
      )}
    </p>
  );
};

/** What apply does with this plan. Empty if the title says it. */
function describeVerdict(model: Model): string {
  const { plan, title, summary } = model;
  if (title === 'preview') return 'What the files declare. Nothing was read from the service.';
  if (summary.refusal !== '') return summary.refusal;
  const isBlocked = plan.changes.some(({ action }) => action === 'blocked');
  if (!isBlocked && !plan.changes.some(writes)) return model.countMatching();
  if (title === 'drift') return 'Live state differs from the files. Nothing is changed by this.';
  return isBlocked ? 'Apply leaves out what is blocked, and exits with 5.' : 'Apply makes all of them.';
}

/** What matters before anything else: what reaches fans, at what price, how far, and what cannot be undone. */
const Essentials: FC<{ readonly model: Model }> = ({ model }) => {
  const { plan, title, cards, contents } = model;
  const sending = plan.changes.filter(({ action }) => TO_FANS.includes(action));
  if (title !== 'plan' || !plan.changes.some((change) => writes(change) || change.action === 'blocked'))
    return null;
  const declared = sending.flatMap(({ content }) => contents[content ?? -1] ?? []);
  const messages = declared.flatMap((content) => content.messages);
  const prices = messages.flatMap(({ price_gross: price = 0 }) => (price > 0 ? [price] : []));
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const everyone = declared.filter(({ audience_filters: filters }) => filters.length === 0).length;
  return (
    <ul class="boxes" aria-label="What matters first">
      {listAttention(cards.map(({ entry }) => entry)).map(({ words, tone, number, names }) => (
        <Box value={String(number)} words={words} more={listed(names, NAMES_MAX)} tone={tone} />
      ))}
      {declared.length === 0 ? null : (
        <>
          <Box
            value={
              prices.length === 0
                ? 'Free'
                : low === high
                  ? formatPrice(low)
                  : `${formatPrice(low)} to ${formatPrice(high)}`
            }
            words="price"
            more={`${prices.length} of ${count(messages.length, 'message')} paid`}
          />
          <Box
            value={count(accountsIn(sending).length, 'account')}
            words="reach"
            more={`${everyone} of ${declared.length} to everyone`}
          />
        </>
      )}
    </ul>
  );
};

const Box: FC<{
  readonly value: string;
  readonly words: string;
  readonly more: string;
  readonly tone?: string;
}> = ({ value, words, more, tone = '' }) => (
  <li class={tone}>
    <b>{value}</b> {words}
    <span>
      <Text text={more} />
    </span>
  </li>
);

/** The changes by action. Those of the plan lead to their filter. */
const Counts: FC<{ readonly model: Model }> = ({ model }) => {
  const { plan, title, cards } = model;
  const kinds = CHANGE_KINDS.filter((kind) => (plan.summary[kind] ?? 0) > 0);
  if (title === 'preview' || kinds.length === 0) return null;
  return (
    <ul class="counts" aria-label="Changes by action">
      {kinds.map((kind) => {
        const words = `${plan.summary[kind] ?? 0} ${model.nameChange(kind, 'counted')}`;
        const isListed = cards.some(({ shared }) => shared.action === kind);
        return (
          <li>
            <Mark action={kind} />
            {isListed ? <a href={`#action=${kind}`}>{words}</a> : words}
          </li>
        );
      })}
    </ul>
  );
};

/** Findings and deadlines beyond this many are below: in their cards, and in the calendar. */
const ROWS_MAX = 12;

const DEADLINES_MAX = 4;

const NAMES_MAX = 3;

/** What a person has to see before a yes. It is never folded. */
const Attention: FC<{ readonly model: Model }> = ({ model }) => {
  const { cards, plan, title } = model;
  const irreversible = title === 'plan' ? cards.filter(({ entry }) => entry.isIrreversible) : [];
  const blocked = cards.filter(({ shared }) => shared.action === 'blocked');
  const rows = [
    <Findings severity="error" model={model} />,
    irreversible.length === 0 ? null : (
      <Row mark="recall" words={`${sumChanges(irreversible)} cannot be undone`}>
        {irreversible.map((card) => (
          <p>
            <Link card={card} accounts={card.accounts} />: {model.nameChange(card.shared.action)}.{' '}
            <Prose text={card.shared.undo} zone={card.zone} />
          </p>
        ))}
      </Row>
    ),
    blocked.length === 0 ? null : <Blocked cards={blocked} />,
    <Findings severity="warning" model={model} />,
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
      <Text text={listed(card.names, NAMES_MAX)} />
    </a>{' '}
    on <AccountNames names={accounts} />
  </>
);

const Blocked: FC<{ readonly cards: readonly Card[] }> = ({ cards }) => (
  <Row mark="blocked" words={`${sumChanges(cards)} blocked`}>
    {cards.map((card) => (
      <p>
        <Link card={card} accounts={card.accounts} />:{' '}
        <Prose text={card.shared.reasons[0] ?? ''} zone={card.zone} />
      </p>
    ))}
    {[...groupBy(cards, ({ shared }) => shared.needs.join(' '))].map(([needs, same]) =>
      needs === '' ? null : (
        <p class="tools">
          To allow {sumChanges(same) === 1 ? 'it' : `these ${sumChanges(same)}`}:{' '}
          <Command line={formatAllow(same.flatMap(({ changes }) => changes))} />
        </p>
      ),
    )}
  </Row>
);

/** Errors or warnings: those about no change first, then a line for each change with a link to it. */
const Findings: FC<{ readonly severity: Finding['severity']; readonly model: Model }> = ({
  severity,
  model: { cards, plan, title, zone },
}) => {
  const inCards = new Set(plan.changes.map(({ address }) => formatAddress(address)));
  const general = plan.diagnostics.filter(
    (one) => one.severity === severity && (one.address === undefined || !inCards.has(one.address)),
  );
  const messages = [...new Set(general.map(({ message }) => message))];
  const rows = cards.flatMap((card) => card.findings.map((finding) => ({ card, finding })));
  const own = rows.filter(({ finding }) => finding.severity === severity);
  if (own.length + messages.length === 0) return null;
  const refused = title === 'plan' && severity === 'error' ? ': apply refuses this plan' : '';
  return (
    <Row mark="blocked" words={`${count(own.length + messages.length, severity)}${refused}`}>
      {messages.map((message) => (
        <p>
          <Prose text={message} zone={zone} />
        </p>
      ))}
      {own.slice(0, ROWS_MAX).map(({ card, finding: { message, accounts } }) => (
        <p>
          <Link card={card} accounts={accounts} />: <Prose text={message} zone={card.zone} />
        </p>
      ))}
      {own.length > ROWS_MAX ? (
        <p class="mute">and {own.length - ROWS_MAX} more, in their changes below</p>
      ) : null}
    </Row>
  );
};

/** What happens at a deadline: `Setlist vote goes out`. */
const DEADLINES = {
  sends: 'goes out',
  recall_ends: 'about the last moment for a recall',
  archived: 'the service archives it',
  resume_ends: 'the last moment to resume it',
} as const satisfies Record<DeadlineKind, string>;

const Deadlines: FC<{ readonly deadlines: readonly Deadline[]; readonly model: Model }> = ({
  deadlines,
  model,
}) =>
  deadlines.length === 0 ? null : (
    <Row mark="missed" words={count(deadlines.length, 'deadline')}>
      {deadlines.slice(0, DEADLINES_MAX).map(({ at, what, kind, name, accounts }) => (
        <p>
          <Time at={at} zone={findZone({ kind, name, accounts }, model)} />: <Text text={name} /> on{' '}
          <AccountNames names={accounts} />
          {what === 'sends' ? ' ' : ', '}
          {DEADLINES[what]}
        </p>
      ))}
      {deadlines.length > DEADLINES_MAX ? (
        <p class="mute">And {deadlines.length - DEADLINES_MAX} later ones, in the calendar below</p>
      ) : null}
    </Row>
  );

/** The zone in which the time of a deadline's resource is declared. */
function findZone({ kind, name, accounts }: Pick<Deadline, 'kind' | 'name' | 'accounts'>, model: Model) {
  const index = model.plan.changes.find(
    ({ address }) => address.kind === kind && address.name === name && address.account === accounts[0],
  )?.content;
  return model.zoneFor(index === undefined ? null : (model.contents[index] ?? null));
}
