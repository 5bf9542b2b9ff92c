import { planShape, type Change } from '../../src/domain/change.ts';
import { formatAddress } from '../../src/domain/resource.ts';
import type { Scene } from '../helpers/scene.ts';
import { ALONE, allowing, applyAs, connectQuietly } from './apply-as.ts';
import {
  aliasOf,
  declare,
  hourOf,
  isRunning,
  pictureWith,
  type Account,
  type Declared,
  type Written,
} from './declare.ts';
import type { Terms } from './judge-sent.ts';
import { liveOf, type Live } from './live.ts';
import type { Scenario, SlotVersion } from './scenario.ts';
import type { Chaos } from './state.ts';

/** What a person allows who wants the files to hold. */
const ALL = ['adopt', 'resume', 'recall'];
const QUIET_AFTER_RUNS = 5;

/**
 * Applies until nothing is left to do; what is still protected is then let go in steps of its own, and after that
 * everything is as declared.
 */
export async function endWell(
  chaos: Chaos,
  last: readonly Written[],
  used: readonly Account[],
  prune: boolean,
): Promise<{ readonly declared: readonly Declared[]; readonly problems: readonly string[] }> {
  const { simulator, operators, scene } = chaos;
  const allow = [...ALL, ...(prune ? ['prune', 'large'] : [])];
  const begin = (written: readonly Written[], accounts: readonly Account[], allowed = allow): Terms => {
    const declared = declare(operators, written, accounts);
    chaos.stretches.begin(simulator.world.nextRequest, declared);
    return { covers: () => true, wish: null, allow: allowed, declared };
  };
  const isTooOld = tooOldIn(chaos.scenario);
  const first = await untilQuiet(
    chaos,
    scene,
    begin(last, used),
    (change) => isOfProtection(change) || isTooOld(change),
  );
  for (const account of used) {
    const live = liveOf(simulator).filter(({ accountId }) => accountId === account.accountId);
    const terms = { ...begin(asItIs(last, live, chaos.scenario), [account], ALL), flags: [] };
    // Copies beside it are stopped first: it is let go only where nothing else is left to do.
    for (let step = 0; step < 2; step += 1) await applyAs(chaos, scene, ALONE, terms);
  }
  const free = last.map((one) => ({ ...one, protect: false }));
  const terms = begin(free, used);
  const held: string[] = [];
  const isStuck = (change: Change) => {
    const isHeld = isOfProtection(change) && standsBesideGone(liveOf(simulator), change);
    if (!isHeld && !isTooOld(change)) return false;
    held.push(formatAddress(change.address));
    return true;
  };
  const second = await untilQuiet(chaos, scene, terms, isStuck);
  const others: string[] = [];
  for (const other of operators.slice(1)) others.push(...(await untilQuiet(chaos, other, terms, isTooOld)));
  const declared = terms.declared.filter(
    ({ alias, kind, name }) => !held.includes(formatAddress({ account: alias, kind, name })),
  );
  return { declared, problems: [...first, ...second, ...others] };
}

/** The files with everything of one account as it is now, and nothing protected: what an apply of that lets go. */
function asItIs(
  written: readonly Written[],
  live: readonly Live[],
  { startMin }: Scenario,
): readonly Written[] {
  const stays = live.filter(({ status }) => isRunning(status) || status === 'paused');
  const ofName = (kind: string, name: string) => {
    const group = stays.filter((object) => object.kind === kind && object.name === name);
    return group.find(({ status }) => isRunning(status)) ?? group[0];
  };
  const isIn = ({ kind, name }: Live) => written.some((one) => one.kind === kind && one.name === name);
  const declared = written.map((one): Written => {
    const object = ofName(one.kind, one.name);
    return { ...one, protect: false, ...(object === undefined ? {} : partsOf(object)) };
  });
  const removed = stays
    .filter((object) => !isIn(object) && ofName(object.kind, object.name) === object)
    .map((object): Written => {
      const { kind, name } = object;
      const hourMs = hourOf(name, startMin);
      return { kind, name, hourMs, protect: false, slot: PLAIN, ...partsOf(object) };
    });
  return [...declared, ...removed];
}

const PLAIN: SlotVersion = {
  target: 'runs',
  newWords: false,
  protect: false,
  file: null,
  replace: 'pause_first',
  clears: false,
};

function partsOf({ status, content }: Live): Pick<Written, 'target' | 'content' | 'picture'> {
  return { target: isRunning(status) ? status : 'paused', content, picture: pictureWith(content.sha256) };
}

/** Held back for good, until somebody takes the line away. */
function isOfProtection({ action, reasons }: Change): boolean {
  return action === 'blocked' && /protect/.test(reasons.join(' '));
}

/** A protected broadcast beside one of its name that has left: no version of the files is about it alone any more. */
function standsBesideGone(live: readonly Live[], { address: { account, kind, name } }: Change): boolean {
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
const RESUME_WINDOW_DAYS = 5;

/** Paused for too long to go out: where the ledger does not know since when, the service refuses the resume. */
function tooOldIn({ versions }: Scenario): (change: Change) => boolean {
  const days = versions.reduce((sum, { restDays }) => sum + restDays, 0);
  return ({ action, reasons, address }) =>
    address.kind === 'broadcast' &&
    days >= RESUME_WINDOW_DAYS &&
    (action === 'resume' || /is archived and can no longer go out/.test(reasons.join(' ')));
}

/** Held back for good, as the tables say. */
function isFinal({ action, reasons }: Change): boolean {
  return action === 'blocked' && /An archived campaign cannot be recalled/.test(reasons.join(' '));
}

async function untilQuiet(
  chaos: Chaos,
  scene: Scene,
  terms: Terms,
  isFine: (change: Change) => boolean,
): Promise<string[]> {
  for (let run = 1; ; run += 1) {
    await applyAs(chaos, scene, ALONE, { ...terms, flags: [] });
    connectQuietly(chaos, scene);
    const ran = await scene.herald('plan', '--detailed-exitcode', '--format', 'json', ...allowing(terms));
    if (ran.code === 0) return [];
    const plan = planShape.safeParse(JSON.parse(ran.stdout));
    const busy = plan.success
      ? plan.data.changes.filter(({ action }) => !['keep', 'done', 'missed', 'unmanaged'].includes(action))
      : null;
    if (busy?.every((change) => isFine(change) || isFinal(change))) return [];
    scene.clock.move(10_000);
    if (run < QUIET_AFTER_RUNS) continue;
    const left = busy?.map(
      ({ action, address, reasons }) => `${action} ${formatAddress(address)}: ${reasons.join(' ')}`,
    );
    return [`the plan is not quiet (exit ${ran.code}): ${left?.join('; ') ?? ran.stdout}`];
  }
}
