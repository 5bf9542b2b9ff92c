import type { FC } from 'hono/jsx';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { type ChangeKind, halfDoneChanges, writes } from '../domain/change.ts';
import { servicePlace } from '../domain/service-identity.ts';
import {
  blockedMessages,
  countLive,
  describeBlockedMessages,
  describeEta,
  describeHalfDone,
  describeRefusal,
} from '../render/summary.ts';
import { count } from '../render/wording.ts';
import { Attention } from './attention.tsx';
import { quietWords } from './changes.tsx';
import type { Model } from './model.ts';
import { Mark, Text, Time } from './text.tsx';
import { ACTIONS, actionWord } from './words.ts';

/** Service, answer, counts, what needs a decision, and the facts of the plan. */
export const Head: FC<{ readonly model: Model }> = ({ model }) => (
  <section id="overview" aria-labelledby="title">
    <Where model={model} />
    <h1 id="title">{headline(model)}</h1>
    <p class="verdict">
      <Verdict model={model} />
    </p>
    <Counts model={model} />
    {model.title === 'preview' && model.plan.diagnostics.length === 0 ? null : <Attention model={model} />}
    <Facts model={model} />
  </section>
);

const Where: FC<{ readonly model: Model }> = ({ model: { plan, zone, title } }) => {
  const { service, workspace, commit, planned_at: at } = plan;
  return (
    <p class="where">
      {title === 'preview' ? (
        <span class="svc sim">Files only</span>
      ) : service.simulator ? (
        <span class="svc sim">Simulator</span>
      ) : (
        <span class="svc">
          <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
            <circle cx="4" cy="4" r="4" fill="currentColor" />
          </svg>
          Real service
        </span>
      )}
      <span>
        <Text text={placeWords(service)} />
      </span>
      {workspace === undefined ? null : (
        <>
          <span aria-hidden="true">/</span>
          <b>
            <Text text={workspace} />
          </b>
        </>
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

/** The label before it says already that it is a simulator. */
function placeWords(service: Model['plan']['service']): string {
  return servicePlace(service).replace(/^simulator /, '');
}

/** `47 changes on 12 accounts, 1 blocked`. */
export function headline({ plan, title, cards }: Model): string {
  const writing = plan.changes.filter(writes);
  const accounts = new Set(writing.map(({ address }) => address.account)).size;
  const blocked = plan.changes.filter(({ action }) => action === 'blocked').length;
  if (title === 'preview') {
    const all = new Set(plan.changes.map(({ address }) => address.account)).size;
    return `${count(cards.length, 'resource')} on ${count(all, 'account')}`;
  }
  const noun = title === 'drift' ? 'difference' : 'change';
  const messages = title === 'drift' ? blockedMessages(plan) : 0;
  const stopped = messages === 0 ? '' : `, ${describeBlockedMessages(messages)}`;
  const half = halfDoneChanges(plan);
  const rest = `${blocked === 0 ? '' : `, ${blocked} blocked`}${stopped}`;
  if (writing.length === 0) return `${half === 0 ? `No ${noun}s` : describeHalfDone(half)}${rest}`;
  return `${count(writing.length, noun)} on ${count(accounts, 'account')}${rest}`;
}

const Verdict: FC<{ readonly model: Model }> = ({ model }) => {
  const { plan, title } = model;
  const refused = describeRefusal(plan);
  if (title === 'preview') return <>What the files declare. Nothing was read from the service.</>;
  if (refused !== '') return <Text text={refused} />;
  const writing = plan.changes.filter(writes).length;
  const blocked = plan.changes.filter(({ action }) => action === 'blocked').length;
  if (title === 'drift')
    return (
      <>
        {writing === 0 ? quietWords(model) : 'Live state differs from the files. Nothing is changed by this.'}
      </>
    );
  if (writing === 0 && blocked === 0) return <>{quietWords(model)}</>;
  const live = countLive(plan.changes);
  const makes = writing === 1 ? 'the change' : `the ${writing} changes`;
  return (
    <>
      {writing === 0 ? 'Apply changes nothing' : `Apply makes ${makes}`}
      {blocked === 0
        ? '. '
        : `, leaves out the ${blocked === 1 ? 'blocked one' : `${blocked} blocked`} and exits with 5. `}
      {live === '' ? null : <b>{live.charAt(0).toUpperCase() + live.slice(1)}.</b>}
    </>
  );
};

/** Kinds that are counted last, in grey. */
const RESTING: readonly ChangeKind[] = ['keep', 'done', 'unmanaged'];

function isResting(kind: ChangeKind): boolean {
  return RESTING.includes(kind);
}

const Counts: FC<{ readonly model: Model }> = ({ model: { plan, title } }) => {
  if (title === 'preview') return null;
  const kinds = [...CHANGE_KINDS].toSorted(
    (left, right) => Number(isResting(left)) - Number(isResting(right)),
  );
  const counts = kinds
    .map((kind) => ({ kind, number: plan.summary[kind] ?? 0 }))
    .filter(({ number }) => number > 0);
  if (counts.length === 0) return null;
  return (
    <ul class="counts" aria-label="Changes by action">
      {counts.map(({ kind, number }) => {
        const resting = isResting(kind);
        const cell = (
          <>
            <b>
              {resting ? null : <Mark class={kind} glyph={ACTIONS[kind].glyph} />}
              {number}
            </b>
            <span class="w">{actionWord(title, kind)}</span>
          </>
        );
        return resting ? (
          <li class="rest">
            <span class="cell">{cell}</span>
          </li>
        ) : (
          <li>
            <a href={`#action=${kind}`}>{cell}</a>
          </li>
        );
      })}
    </ul>
  );
};

const Facts: FC<{ readonly model: Model }> = ({ model: { plan, title } }) => {
  const { commit, who, allowed = [] } = plan;
  const eta =
    title === 'plan'
      ? describeEta(plan)
          .replace(/^Takes at least /, 'At least ')
          .replace(/ \(.*$/, '')
      : '';
  const facts: readonly (readonly [string, unknown])[] = [
    ['Commit', commit?.subject === undefined ? '' : <Text text={commit.subject} />],
    ['Author', commit?.author === undefined ? '' : <Text text={commit.author} />],
    ['By', who === undefined ? '' : <Text text={who} />],
    [
      'Allowed',
      allowed.length === 0
        ? ''
        : allowed.map(({ name, from }, index) => (
            <>
              {index === 0 ? '' : ', '}
              <code>{name}</code> by {from}
            </>
          )),
    ],
    ['Apply takes', eta],
  ];
  const told = facts.filter(([, value]) => value !== '');
  if (told.length === 0) return null;
  return (
    <dl class="facts">
      {told.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>{value as string}</dd>
        </div>
      ))}
    </dl>
  );
};
