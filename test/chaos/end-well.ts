import { planShape, type Change } from '../../src/domain/change.ts';
import { formatAddress } from '../../src/domain/resource.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import {
  aliasOf,
  hourOf,
  isDeclaredAs,
  isRunning,
  pictureWith,
  sameContent,
  slotOf,
  type Account,
  type Declared,
  type Written,
} from './declare.ts';
import { doAsPlanSays } from './as-plan-says.ts';
import { allowing, commandLine } from './commands.ts';
import { giveFiles } from './files.ts';
import { isNamedByPerson, isRecalled, isTooLate, liveOf, type Live } from './live.ts';
import { look, play } from './run.ts';
import type { Command, Run, Scenario, SlotVersion } from './shape.ts';
import type { Actor, Chaos } from './state.ts';

const QUIET_AFTER_RUNS = 5;
/** What a person allows who wants the files to hold. */
const ALLOW = ['adopt', 'resume'] as const;

/**
 * Applies until nothing is left to do; what is still protected is then let go in steps of its own, and after that
 * everything is as declared. All operators giveFiles the files of the first one in the end.
 */
export async function endWell(
  chaos: Chaos,
  used: readonly Account[],
): Promise<{ readonly declared: readonly Declared[]; readonly problems: readonly string[] }> {
  const [first, ...others] = chaos.actors;
  if (first === undefined || first.written.length === 0) return { declared: [], problems: [] };
  // Anyone who reads that a username has moved writes the id into the workspace.
  for (const { scene } of chaos.actors) scene.files.tree['herald.yaml'] = WORKSPACE;
  // And a plan that is blocked because clocks do not agree tells them to set the clock of the machine.
  for (const { clock } of chaos.actors) clock.set(chaos.clock.now() - clock.now());
  // The plan says the same of the service, and to report it.
  chaos.simulator.world.modes.serverClocksSec = [0];
  const last = first.written
    .map((one) => sentAnew(chaos, one))
    .map((one, _, all) => renamed(one, nameBefore(chaos, one, all)));
  const isTooOld = tooOldIn(chaos.scenario);
  giveFiles(chaos, first, last, used);
  // Nothing hinders a command any more: what is left to do shows in the exit codes.
  for (const at of ['drift', 'plan --detailed-exitcode'] as const) await play(chaos, lookBy(first, at));
  const before = await untilQuiet(chaos, first, (change) => isOfProtection(change) || isTooOld(change));
  for (const account of used) {
    const live = liveOf(chaos.simulator).filter(({ accountId }) => accountId === account.accountId);
    giveFiles(chaos, first, asItIs(last, live, chaos.scenario), [account]);
    // Copies next to it are stopped first: it is let go only where nothing else is left to do.
    for (let step = 0; step < 2; step += 1) await play(chaos, applyBy(first));
  }
  const free = last.map((one) => ({ ...one, protect: false }));
  const held: string[] = [];
  const isStuck = (change: Change) => {
    const isHeld = isOfProtection(change) && isBesideGone(liveOf(chaos.simulator), change);
    if (!isHeld && !isTooOld(change)) return false;
    held.push(formatAddress(change.address));
    return true;
  };
  giveFiles(chaos, first, free, used);
  const after = await untilQuiet(chaos, first, isStuck);
  const theirs: string[] = [];
  for (const other of others) {
    giveFiles(chaos, other, free, used);
    theirs.push(...(await untilQuiet(chaos, other, isTooOld)));
  }
  const declared = first.declared.filter(
    ({ alias, kind, name }) => !held.includes(formatAddress({ account: alias, kind, name })),
  );
  return { declared, problems: [...before, ...after, ...theirs] };
}

function applyBy({ place }: Actor): Run {
  const command: Command = {
    kind: 'apply',
    targeting: 0,
    saved: false,
    prune: true,
    recalls: true,
    allow: ALLOW,
  };
  return { operator: place, command, afterSec: 0, cut: null, people: [] };
}

function lookBy({ place }: Actor, at: Extract<Command, { readonly kind: 'look' }>['at']): Run {
  return { operator: place, command: { kind: 'look', at }, afterSec: 0, cut: null, people: [] };
}

function renamed(written: Written, from: string | null): Written {
  if (from === null) return { ...written, renamedFrom: null };
  return { ...written, renamedFrom: from, formerNames: [...written.formerNames, from] };
}

/** What a person recalled needs another name to go out again. */
function sentAnew({ simulator, author }: Chaos, written: Written): Written {
  const { kind, name, target, formerNames } = written;
  // A person may have given it another name before its recall.
  const names = [name, ...formerNames.filter((former) => isNamedByPerson({ name: former }))];
  const isAnyRecalled = liveOf(simulator).some(
    (one) => one.kind === kind && names.includes(one.name) && isRecalled(one),
  );
  return isRunning(target) && isAnyRecalled ? author.again(written) : written;
}

/**
 * What of the same words runs under another name was renamed: the file says so in the end. So it does if a copy of a lost
 * create runs under a former name: plans list it as Herald's own, and no file has that name any more.
 */
function nameBefore(
  { simulator }: Chaos,
  { kind, name, content, target, formerNames }: Written,
  all: readonly Written[],
): string | null {
  if (!isRunning(target)) return null;
  const late = liveOf(simulator).find(
    (one) =>
      one.kind === kind &&
      isRunning(one.status) &&
      formerNames.includes(one.name) &&
      isTooLate(simulator, one),
  );
  if (late !== undefined) return late.name;
  const live = liveOf(simulator).filter(
    (one) => one.kind === kind && (isRunning(one.status) || one.status === 'paused'),
  );
  // A paused one next to it was a copy: what runs stays, under the name that the file has now.
  const own = live.filter((one) => one.name === name);
  const isOnlyPaused = own.length > 0 && own.every(({ status }) => status === 'paused');
  const hasRunning = live.some((one) => isRunning(one.status) && formerNames.includes(one.name));
  if (own.length > 0 && !(isOnlyPaused && hasRunning)) return null;
  const isFree = (one: Live) => !all.some((other) => other.kind === kind && other.name === one.name);
  return (
    live.find(
      (one) =>
        sameContent(one.content, content) && isFree(one) && (own.length === 0 || isRunning(one.status)),
    )?.name ?? null
  );
}

/** The files with everything of one account as it is now, and nothing protected: what an apply of that lets go. */
function asItIs(
  written: readonly Written[],
  live: readonly Live[],
  { startMin }: Scenario,
): readonly Written[] {
  const stays = live.filter(({ status }) => isRunning(status) || status === 'paused');
  const firstOf = (group: readonly Live[]) => group.find(({ status }) => isRunning(status)) ?? group[0];
  const ofName = (kind: string, name: string) =>
    firstOf(stays.filter((object) => object.kind === kind && object.name === name));
  // Under the name of a block there is only that block.
  const isIn = (object: Live) =>
    written.some(
      (one) => one.kind === object.kind && (one.name === object.name || isDeclaredAs(one, object)),
    );
  const declared = written.map((one): Written => {
    const own = stays.filter((object) => isDeclaredAs(one, object));
    const object = [one.name, ...one.formerNames]
      .map((name) => firstOf(own.filter((each) => each.name === name)))
      .find((found) => found !== undefined);
    const rest = { ...one, protect: false, renamedFrom: null };
    return object === undefined ? rest : { ...rest, ...partsOf(object) };
  });
  const removed = stays
    .filter((object) => !isIn(object) && ofName(object.kind, object.name) === object)
    .map((object): Written => {
      const { kind, name } = object;
      const slot = { ...PLAIN, slot: slotOf(name).name };
      const hourMs = object.hourMs ?? hourOf(name, startMin);
      return {
        kind,
        name,
        hourMs,
        protect: false,
        slot,
        renamedFrom: null,
        formerNames: [],
        textBegins: null,
        ...partsOf(object),
      };
    });
  return [...declared, ...removed];
}

const PLAIN: Omit<SlotVersion, 'slot'> = {
  target: 'runs',
  newWords: false,
  oldWords: false,
  rename: 'no',
  takesText: false,
  sameName: false,
  protect: false,
  picture: null,
  replace: 'pause_first',
  clears: false,
  waits: false,
  later: false,
};

function partsOf({ status, content }: Live): Pick<Written, 'target' | 'content' | 'picture'> {
  return { target: isRunning(status) ? status : 'paused', content, picture: pictureWith(content.sha256) };
}

/** Blocked for good, until a person takes the line away; so is what would have its text. */
function isOfProtection({ action, reasons }: Change): boolean {
  return action === 'blocked' && /protect|First resolve what blocks/.test(reasons.join(' '));
}

/** A protected broadcast next to one of its name that has left: no version of the files is about it alone any more. */
function isBesideGone(live: readonly Live[], { address: { account, kind, name } }: Change): boolean {
  return live.some(
    (one) =>
      aliasOf(one.accountId) === account &&
      one.kind === kind &&
      one.name === name &&
      kind === 'broadcast' &&
      !isRunning(one.status) &&
      one.status !== 'paused',
  );
}

/** A broadcast can be resumed for five days after its pause, and some days later the service archives it. */
const RESUME_WINDOW_SEC = 5 * 86_400;

/** Paused for too long to go out: where the ledger does not know since when, the service refuses the resume. */
function tooOldIn({ steps }: Scenario): (change: Change) => boolean {
  const sec = steps.reduce((sum, step) => sum + (step.kind === 'wait' ? step.sec : 0), 0);
  return ({ action, reasons, address }) =>
    address.kind === 'broadcast' &&
    sec >= RESUME_WINDOW_SEC &&
    (action === 'resume' || /is archived and can no longer go out/.test(reasons.join(' ')));
}

/** Blocked for good, as the tables say. */
function isFinal({ simulator }: Chaos, { action, reasons, live_id: id }: Change): boolean {
  if (action !== 'blocked') return false;
  if (/An archived campaign cannot be recalled/.test(reasons.join(' '))) return true;
  // Some fans giveFiles it: only a person knows whether the rest is to get it.
  return (
    /was already sent|had begun to go out/.test(reasons.join(' ')) &&
    liveOf(simulator).some((one) => one.kind === 'broadcast' && one.id === id && one.reached > 0)
  );
}

const WRITES_NOTHING: readonly string[] = ['keep', 'done', 'missed', 'unmanaged'];

async function untilQuiet(
  chaos: Chaos,
  actor: Actor,
  isFine: (change: Change) => boolean,
): Promise<string[]> {
  for (let run = 1; ; run += 1) {
    const apply = applyBy(actor);
    await play(chaos, apply);
    const allowed = allowing(commandLine(chaos, actor, apply.command)?.task ?? { allow: [] });
    const ran = await look(chaos, actor, ['plan', '--detailed-exitcode', ...allowed]);
    if (ran.code === 0) return [];
    const plan = planShape.safeParse(JSON.parse(ran.stdout));
    const busy = plan.success
      ? plan.data.changes.filter(({ action }) => !WRITES_NOTHING.includes(action))
      : null;
    if (busy?.every((change) => isFine(change) || isFinal(chaos, change))) return [];
    for (const change of busy ?? []) {
      await doAsPlanSays(chaos, actor, change);
    }
    chaos.clock.move(10_000);
    if (run < QUIET_AFTER_RUNS) continue;
    const left = busy?.map(
      ({ action, address, reasons }) => `${action} ${formatAddress(address)}: ${reasons.join(' ')}`,
    );
    return [`the plan is not quiet (exit ${ran.code}): ${left?.join('; ') ?? ran.stdout}`];
  }
}
