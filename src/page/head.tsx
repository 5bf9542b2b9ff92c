import type { FC } from 'hono/jsx';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { type Change, writes } from '../domain/change.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { listAttention } from '../render/entries.ts';
import { accountsIn, namesIn } from '../render/groups.ts';
import { blockedMessages, describeBlockedMessages, describeEta, describeRefusal } from '../render/summary.ts';
import { formatPrice } from '../render/values.ts';
import { count } from '../render/wording.ts';
import { Attention } from './attention.tsx';
import type { Model } from './model.ts';
import { Mark, Text, Time } from './text.tsx';
import { countedWord } from './words.ts';

/** What matters first, and what needs a decision. */
export const Head: FC<{ readonly model: Model }> = ({ model }) => (
  <section id="overview" aria-labelledby="title">
    <Where model={model} />
    <h1 id="title">{headline(model)}</h1>
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

/** `47 changes on 12 accounts, 1 blocked`. */
export function headline({ plan, title, cards }: Model): string {
  const { changes } = plan;
  if (title === 'preview')
    return `${count(cards.length, 'resource')} on ${count(accountsIn(changes).length, 'account')}`;
  const writing = changes.filter(writes);
  const blocked = changes.filter(({ action }) => action === 'blocked').length;
  const noun = title === 'drift' ? 'difference' : 'change';
  const messages = title === 'drift' ? blockedMessages(plan) : 0;
  return [
    writing.length === 0
      ? `No ${noun}s`
      : `${count(writing.length, noun)} on ${count(accountsIn(writing).length, 'account')}`,
    ...(blocked === 0 ? [] : [`${blocked} blocked`]),
    ...(messages === 0 ? [] : [describeBlockedMessages(messages)]),
  ].join(', ');
}

/** What apply does with this plan. Empty if the title says it. */
function describeVerdict({ plan, title }: Model): string {
  if (title === 'preview') return 'What the files declare. Nothing was read from the service.';
  const refused = describeRefusal(plan);
  if (refused !== '') return refused;
  const isBlocked = plan.changes.some(({ action }) => action === 'blocked');
  if (!isBlocked && !plan.changes.some(writes)) return countMatching(plan.changes);
  if (title === 'drift') return 'Live state differs from the files. Nothing is changed by this.';
  return isBlocked ? 'Apply leaves out what is blocked, and exits with 5.' : 'Apply makes all of them.';
}

export function countMatching(changes: readonly Change[]): string {
  const same = changes.filter(({ action }) => action === 'keep').length;
  return `${count(same, 'resource')} ${same === 1 ? 'matches' : 'match'}.`;
}

/** Changes that a box names before it counts the rest. */
const NAMED = 2;

/** What matters before anything else: what reaches fans, at what price, how far, and what cannot be undone. */
const Essentials: FC<{ readonly model: Model }> = ({ model }) => {
  const { plan, title, cards, contents } = model;
  const sending = plan.changes.filter(
    ({ action }) =>
      action === 'create' || action === 'replace' || action === 'activate' || action === 'resume',
  );
  if (title !== 'plan' || !plan.changes.some((change) => writes(change) || change.action === 'blocked'))
    return null;
  const declared = sending.flatMap(({ content }) => contents[content ?? -1] ?? []);
  const messages = declared.flatMap((content) => content.messages);
  const prices = messages.flatMap(({ price_gross: price = 0 }) => (price > 0 ? [price] : []));
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const everyone = declared.filter(({ audience_filters: filters }) => filters.length === 0).length;
  return (
    <ul class="boxes" aria-label="What matters first">
      {listAttention(cards.map(({ entry }) => entry)).map(({ words, tone, number, entries }) => {
        const changes = entries.flatMap(({ group }) => group.changes);
        const names = namesIn(changes);
        const more = names.length - NAMED;
        const named = more > 1 ? [...names.slice(0, NAMED), `${more} more`] : names;
        return <Box value={String(number)} words={words} more={named.join(', ')} tone={tone} />;
      })}
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
const Counts: FC<{ readonly model: Model }> = ({ model: { plan, title, cards } }) => {
  const kinds = CHANGE_KINDS.filter((kind) => (plan.summary[kind] ?? 0) > 0);
  if (title === 'preview' || kinds.length === 0) return null;
  return (
    <ul class="counts" aria-label="Changes by action">
      {kinds.map((kind) => {
        const words = `${plan.summary[kind] ?? 0} ${countedWord(title, kind)}`;
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

/** Where the plan comes from: the first lines of the footer. */
export const Facts: FC<{ readonly model: Model }> = ({ model: { plan, title } }) => {
  const { commit, who, allowed = [] } = plan;
  const eta = describeEta(plan).replace(/^Takes at least (.*) \(.*$/, 'At least $1');
  const facts: readonly (readonly [label: string, text: string])[] = [
    ['Commit', commit?.subject ?? ''],
    ['Author', commit?.author ?? ''],
    ['By', who ?? ''],
    ['Allowed', allowed.map(({ name, from }) => `${name} by ${from}`).join(', ')],
    ['Apply takes', title === 'plan' ? eta : ''],
  ];
  return (
    <dl class="facts">
      {facts.map(([label, text]) =>
        text === '' ? null : (
          <div>
            <dt>{label}</dt>
            <dd>
              <Text text={text} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
};
