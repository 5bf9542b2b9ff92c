import { SCHEDULE_LEAD_MS } from '../domain/content.ts';
import { formatCommand } from '../domain/command-line.ts';
import { canonical } from '../domain/digest.ts';
import { escapeGlob } from '../domain/glob.ts';
import { groupBy } from '../domain/group-by.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { type Declared, formatAddress, type Observed } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';
import { nameForm } from '../domain/text.ts';
import { passedEnd } from '../domain/time.ts';
import { look, type Look, type Subject } from '../engine/look.ts';
import type { Run } from '../engine/run.ts';
import { namedAccounts, unknownTarget } from '../live/accounts.ts';
import { compare, unreadable } from '../plan/compare/content.ts';
import { type Index, indexFacts, isNamedByItsText, explainOpen, type State } from '../plan/decide/group.ts';
import { isUnconfirmed } from '../state/shapes.ts';
import { nameKey } from '../workspace/text.ts';
import { describeLive } from './from-live.ts';
import { type Form, formsIn, listTodos } from './resource-file.ts';
import { type Entry, type Found, leaveOut, type LeftOut } from './shape.ts';

/** What is live on the imported accounts, with the plan for it by the files of before. */
export interface Scan extends Look {
  readonly subject: Subject;
  readonly index: Index;
}

/**
 * Reads all campaigns and broadcasts of the accounts, archived ones too. Sends only GETs. An account that cannot be read is left
 * out (`facts.unseen`), or refused if it was named.
 */
export async function scanAccounts(run: Run, opened: Subject, names: readonly string[]): Promise<Scan> {
  const { workspace } = opened;
  const aliases = namedAccounts(workspace, names).map(({ alias }) => alias);
  const unknown = aliases.filter((alias) => workspace.accounts.every((account) => account.alias !== alias));
  if (unknown.length > 0 || aliases.length === 0)
    throw new HeraldError(
      'account-without-alias',
      unknown.length === 0
        ? 'The workspace has no accounts, and files need their aliases.'
        : `${unknown.join(', ')} has no alias, and files need one.`,
      `Add it to \`accounts:\` of herald.yaml, as in: alice: { id: "101" }. To see the accounts: ${formatCommand('accounts', 'list')}`,
    );
  const subject = { ...opened, leavesOutOthers: names.length === 0 };
  const seen = await look(run, subject, {
    allow: new Set(workspace.allow),
    targeting: { target: aliases.map(escapeGlob), exclude: [] },
    alsoRead: () => true,
  });
  if (names.length > 0 && subject.unseen.size > 0) throw unknownTarget([...subject.unseen.values()]);
  return { ...seen, subject, index: indexFacts(seen.facts) };
}

export function findImportable({ index, subject, plan }: Scan): Found {
  const unclaimed = index.lists.flatMap((list) => list.unclaimed);
  const taken = new Set(subject.declared.map(({ address }) => nameKey(address)));
  const { chosen, leftOut } = chooseImportable(unclaimed, taken, index);
  // Their creates may be blocked only by an unmanaged object with the same content.
  const blocked = new Set(
    plan.changes
      .filter(({ action, live_id: id }) => action === 'blocked' && id === null)
      .map(({ address }) => formatAddress(address)),
  );
  const waiting = subject.declared.filter(({ address }) => blocked.has(formatAddress(address)));
  const forms = new Map<Observed, Form>();
  for (const object of chosen) {
    const renamed = waiting.find((one) => couldBeRenamed(one, object));
    const described =
      explainUnsettled(object, index) ??
      (renamed === undefined
        ? describeLive(object, index, subject.workspace.service.knownWords)
        : leaveOut(object, 'renamed', explainRenamed(renamed)));
    if ('form' in described) forms.set(object, described.form);
    else leftOut.push(described);
  }
  return { entries: foldAlike(forms), leftOut };
}

/** One new resource for all accounts with the same content. */
function foldAlike(forms: ReadonlyMap<Observed, Form>): readonly Entry[] {
  const alike = groupBy(forms, ([{ account, kind }, form]) =>
    canonical([kind, belongsToAccount(form) ? account : '', form]),
  );
  return [...alike.values()].map((group) => {
    const [[{ kind, live }, form]] = group;
    const objects = group.map(([object]) => ({ object, fields: [] }));
    return { place: null, kind, name: live.name ?? '', form, objects, isAudienceNew: false };
  });
}

/** Media and tags belong to one account each. What the service does not show may be another on every account. */
function belongsToAccount(form: Form): boolean {
  const hasIds = formsIn(form['messages']).some(
    (message) => message['attachments'] !== undefined || message['tagged_platform_account_ids'] !== undefined,
  );
  return hasIds || listTodos(form).length > 0;
}

/** If a renamed object were declared under its old name, its second create would not be blocked. */
function couldBeRenamed(declared: Declared, object: Observed): boolean {
  if (declared.address.account !== object.account || declared.kind !== object.kind) return false;
  const { verdict, fields } = compare(declared, object);
  return verdict !== 'unknowable' && fields.every(({ path }) => path === 'scheduled_at');
}

function explainRenamed({ address, source }: Declared): string {
  return `"${address.name}" (${source.file}:${source.line}) has the same content and is not live. If it is a new name for this one, add renamed_from there.`;
}

/**
 * Of the live objects that no file declares, the ones that can be declared. `taken` are the names of what is
 * declared already, as `nameKey` writes them. Names that a person takes for the same are one group.
 *
 * | of the group                                 | imported                                  |
 * |----------------------------------------------|-------------------------------------------|
 * | one is running                               | the running one                           |
 * | none, and one was not replaced by Herald     | that one                                  |
 * | none, and there is only one                  | that one                                  |
 * | anything else                                | none: they cannot be told apart           |
 */
export function chooseImportable(
  unclaimed: readonly Observed[],
  taken: ReadonlySet<string>,
  index: Index,
): {
  /** At most one per account, kind and name. */
  readonly chosen: readonly Observed[];
  readonly leftOut: LeftOut[];
} {
  const leftOut: LeftOut[] = [];
  const candidates = unclaimed.filter((object) => {
    const refusal = refuse(object, index);
    if (refusal !== null) leftOut.push(leaveOut(object, ...refusal));
    return refusal === null;
  });
  const isReplaced = (object: Observed) => {
    const row = index.rowOf(object);
    return row?.replaced_by != null || (row?.status_by === 'apply' && row.status_why === 'duplicate');
  };
  const chosen: Observed[] = [];
  const groups = groupBy(candidates, ({ account, kind, live }) =>
    nameKey({ account, kind, name: live.name ?? '' }),
  );
  for (const [key, group] of groups) {
    const running = group.filter(({ live }) => !isPaused(live));
    const current = group.filter((object) => !isReplaced(object));
    const [only, second] = [running, current, group].find(({ length }) => length > 0) ?? [];
    const one = second === undefined && !taken.has(key) ? only : undefined;
    if (one !== undefined) chosen.push(one);
    for (const object of group)
      if (object !== one) leftOut.push(leaveOut(object, ...explainOther(object, one, group, taken.has(key))));
  }
  return { chosen, leftOut };
}

function explainOther(
  object: Observed,
  chosen: Observed | undefined,
  group: readonly Observed[],
  isTaken: boolean,
): Refusal {
  if (isTaken) return ['name-collision', 'A file declares a very similar name for this account.'];
  if (chosen !== undefined)
    return ['superseded', `It is an older version: it is paused, and ${chosen.live.id} has the same name.`];
  const others = group.filter((one) => one !== object).map((one) => one.live.id);
  return [
    'name-collision',
    `${others.join(', ')} with the same name can be declared too. Archive or pause all but one.`,
  ];
}

type Refusal = readonly [code: LeftOut['code'], reason: string];

/** Why a live object cannot be declared. Null if it runs or is paused, and everything about it can be read. */
function refuse(object: Observed, { stateOf, facts }: Index): Refusal | null {
  const nowMs = facts.time.latestMs;
  const { name, status, rules, audience_filters: filters } = object.live;
  if (name === null || name === undefined || name === '')
    return ['nameless', 'It has no name, which is all that files and live objects are matched by.'];
  if (isNamedByItsText(object))
    return ['nameless', 'It has no name of its own: the service shows its text instead.'];
  const refusal = STATE_REFUSALS[stateOf(object)]?.(status ?? 'null');
  if (refusal !== undefined) return refusal;
  const endAt = object.kind === 'campaign' ? passedEnd(rules, nowMs) : null;
  if (endAt !== null) return ['ended', `Its end ${endAt} has passed.`];
  const scheduledAt = object.kind === 'broadcast' ? (object.live.scheduled_at ?? '') : '';
  if (Date.parse(scheduledAt) - nowMs < SCHEDULE_LEAD_MS)
    return ['too-late', `Its hour ${scheduledAt} has passed or is too near.`];
  const why = unreadable(object);
  if (why !== null) return ['unreadable', `It cannot be declared: ${why}.`];
  // Rules or an audience that are not shown are unknown, and must not be declared as none.
  if (filters == null) return ['unreadable', 'The service does not show its audience.'];
  if (rules == null) return ['unreadable', 'The service does not show its rules.'];
  return null;
}

const LEFT = (status: string): Refusal => [
  'left',
  `It has left already, in whole or in part: its status is ${status}.`,
];

/** What stands against a declaration, by what the status means. */
const STATE_REFUSALS: Partial<Record<State, (status: string) => Refusal>> = {
  archived: () => ['archived', 'It is archived.'],
  recalled: (status) => ['recalled', `It was recalled: its status is ${status}.`],
  unnamed: (status) => ['unknown-status', `Its status "${status}" is unknown to this version of Herald.`],
  halted: LEFT,
  left: LEFT,
};

/** The object, if a request without an answer may be about to change it. */
function explainUnsettled(object: Observed, { facts, rowOf }: Index): LeftOut | null {
  const { accountId, kind, live } = object;
  const names = [live.name, rowOf(object)?.name].flatMap((name) => (name ? [nameForm(name)] : []));
  const request = facts.open
    .filter(isUnconfirmed)
    .find(
      (one) =>
        one.account_id === accountId &&
        one.kind === kind &&
        (one.live_id === live.id || names.includes(nameForm(one.name))),
    );
  const asOpen = { declared: null, versions: [], facts };
  return request === undefined ? null : leaveOut(object, 'unfinished', explainOpen(request, asOpen));
}
