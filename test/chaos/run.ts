import { applyReportShape, type ApplyReport } from '../../src/domain/change.ts';
import { vaultTruth } from '../../src/simulator/vault/truth.ts';
import { LEDGER_FILE, type Ran, type Scene } from '../helpers/scene.ts';
import { aliasOf, isRunning, sameContent } from './declare.ts';
import { falseReports } from './judge-report.ts';
import { problemOfSent, type Terms } from './judge-sent.ts';
import type { Sent } from './line.ts';
import { isTooLate, keyOf, liveOf } from './live.ts';
import { personAt } from './meanwhile.ts';
import type { Cut, Meanwhile } from './scenario.ts';
import { count, type Chaos } from './state.ts';

/** What became of a run, for the table; its report where there is one. */
export interface Ended {
  readonly end: string;
  readonly report: ApplyReport | null;
}

/** One run of the command line, which may be cut short; everything that it sends and says is judged. */
export async function oneRun(
  chaos: Chaos,
  scene: Scene,
  args: readonly string[],
  cut: Cut | null,
  terms: Terms,
  meanwhile: Meanwhile | null = null,
): Promise<Ended> {
  const { line, simulator, meddled } = chaos;
  let interrupted = false;
  const process = line.process(cut, {
    sent: (sent) => judgeSent(chaos, terms, sent),
    looks: meanwhile === null ? () => undefined : personAt(chaos, meanwhile, terms.declared),
    interrupt: () => {
      interrupted = true;
      running.interrupt();
    },
  });
  Object.assign(scene.env, { HERALD_BASE_URL: 'http://localhost:1', HERALD_API_KEY: process.key });
  if (terms.wish === null) forgetLifted(chaos, terms);
  chaos.applies += 1;
  chaos.tell(
    `${clockTime(chaos)} ${scene === chaos.scene ? '' : 'other '}herald ${args.join(' ')}${cut === null ? '' : ` (${cut.how} ${cut.atWrite})`}`,
  );
  const running = scene.start(...args, '--format', 'json');
  cutLines(scene, cut, () => {
    running.kill();
    process.kill();
  });
  const ran = await Promise.race([running.ran, process.died.then(() => null)]);
  scene.files.onWrite = () => 'done';
  if (ran === null) {
    running.kill();
    chaos.tell(`${clockTime(chaos)}   killed`);
    count(chaos, `cut, ${cut?.how ?? ''}`, 1, 'killed');
    return { end: 'killed', report: null };
  }
  if (ran.stderr.includes('This is a bug in Herald') || /\n {4}at /.test(ran.stderr))
    chaos.falseReports.push(`a bug: ${ran.stderr.slice(-1500)}`);
  const report = reportIn(ran);
  for (const line of wordsOfRun(ran, report)) chaos.tell(`${clockTime(chaos)}   ${line}`);
  const end = report === null ? `nothing done (exit ${ran.code})` : endOf(report);
  if (interrupted) count(chaos, 'cut, interrupt', 1, end);
  if (report === null) return { end, report };
  const oracle = simulator.control.oracle();
  const live = liveOf(simulator);
  const { mediaIsUntold, isAlone } = chaos.past;
  const { nowMs } = simulator.world;
  chaos.falseReports.push(
    ...falseReports({
      nowMs,
      report,
      code: ran.code,
      interrupted,
      terms,
      oracle,
      live,
      asked: process.requests,
      mediaIsUntold,
      isAlone: isAlone && meddled.size === 0,
      meddled,
    }),
  );
  if (terms.wish === null) rememberProtected(chaos, terms, report);
  return { end, report };
}

/** Kills at a line of the ledger, which then is not there, or only its first half. */
function cutLines(scene: Scene, cut: Cut | null, kill: () => void): void {
  if (cut?.how !== 'before_line' && cut?.how !== 'within_line') return;
  let lines = 0;
  scene.files.onWrite = (path, text) => {
    if (path !== LEDGER_FILE) return 'done';
    lines += 1;
    if (lines !== cut.atWrite) return 'done';
    const { tree } = scene.files;
    if (cut.how === 'within_line') tree[path] = (tree[path] ?? '') + text.slice(0, text.length / 2);
    kill();
    return 'frozen';
  };
}

function judgeSent(chaos: Chaos, terms: Terms, sent: Sent): void {
  const { simulator, trespasses, meddled } = chaos;
  const { isAlone } = chaos.past;
  const isDisturbed = meddled.size > 0;
  const past = { ...chaos.past, isAlone: isAlone && !isDisturbed, isRaced: !isAlone && isDisturbed };
  const { world } = simulator;
  const live = liveOf(simulator);
  const [, accountId = ''] = /accounts\/(\d+)/.exec(sent.path) ?? [];
  const exported = vaultTruth(world)[accountId]?.exported ?? [];
  const problem = problemOfSent(
    sent,
    { terms, past, live, nowMs: world.nowMs, aliasOf, cameTooLate: (object) => isTooLate(world, object) },
    (mediaId) => exported.find(({ media_id: id }) => id === mediaId)?.sha256 ?? `unknown media ${mediaId}`,
  );
  const [, path = ''] = sent.path.split('/accounts/');
  chaos.tell(
    `${clockTime(chaos)}     ${sent.method} ${path} ${sent.body.slice(0, 160)}${problem === null ? '' : ` TRESPASS: ${problem}`}`,
  );
  if (problem !== null) trespasses.push(problem);
  if (sent.method !== 'PATCH') return;
  const { status } = JSON.parse(sent.body) as { status: string };
  const object = live.find(
    ({ id, accountId: owner }) => owner === accountId && sent.path.includes(`/${id}/`),
  );
  if (object === undefined) return;
  past.sent.add(`${keyOf(object)} ${status}`);
  // Switched on, or retired by the files: from then on the person's stop is over.
  if (status !== 'paused' && terms.wish === null) past.stopped.delete(keyOf(object));
}

/** A run may wait for lost answers before it plans: by then it may be too late to replace what goes out so soon. */
const SOON_MS = 10 * 60_000;

/** Declared without the line and with nothing else to do there: an apply that begins may lift it at any moment. */
function forgetLifted({ past, simulator }: Chaos, { declared, covers }: Terms): void {
  for (const object of liveOf(simulator)) {
    const wanted = declared.find(
      ({ accountId, kind, name }) =>
        accountId === object.accountId && kind === object.kind && name === object.name,
    );
    if (wanted === undefined || wanted.protect || !covers(wanted.alias, wanted.kind, wanted.name)) continue;
    const isAsDeclared = isRunning(wanted.target) && sameContent(wanted.content, object.content);
    const comesTooLate = wanted.hourMs !== null && wanted.hourMs - simulator.world.nowMs < SOON_MS;
    if (isAsDeclared || comesTooLate || !isRunning(object.status)) past.protectedKeys.delete(keyOf(object));
  }
}

/** The one that stands as declared, with the line, when a run has come to its end is on record as protected. */
function rememberProtected(
  { past, simulator }: Chaos,
  { declared, covers }: Terms,
  { outcomes }: ApplyReport,
): void {
  const live = liveOf(simulator);
  for (const wanted of declared) {
    if (!wanted.protect || !covers(wanted.alias, wanted.kind, wanted.name)) continue;
    const stays = live.find(
      (object) =>
        object.accountId === wanted.accountId &&
        object.kind === wanted.kind &&
        object.name === wanted.name &&
        isRunning(object.status) &&
        sameContent(object.content, wanted.content),
    );
    // A list that lagged behind did not show it to the run.
    const isSeen = outcomes.some(({ live_id: id }) => id === stays?.id);
    if (stays !== undefined && isSeen) past.protectedKeys.add(keyOf(stays));
  }
}

function clockTime({ scene }: Chaos): string {
  return new Date(scene.clock.now()).toISOString().slice(11, 19);
}

function wordsOfRun({ code, stdout }: Ran, report: ApplyReport | null): readonly string[] {
  if (report === null) return [`exit ${code}: ${stdout.replace(/\s+/g, ' ').slice(0, 400)}`];
  const outcomes = report.outcomes.map(
    ({ address: { account, kind, name }, action, outcome, live_id: id, message }) =>
      `${action} ${outcome} ${account}/${kind}/${name} ${id ?? ''} ${message}`,
  );
  return [`exit ${code}`, ...outcomes];
}

function reportIn({ stdout }: Ran): ApplyReport | null {
  if (stdout === '') return null;
  const parsed = applyReportShape.safeParse(JSON.parse(stdout));
  return parsed.success ? parsed.data : null;
}

/** The worst outcome of a report. */
function endOf({ summary }: ApplyReport): string {
  const worst = (['unknown', 'failed', 'not_attempted', 'adopted', 'applied'] as const).find(
    (outcome) => summary[outcome] > 0,
  );
  return worst ?? 'unchanged';
}
