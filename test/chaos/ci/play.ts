import { subscribe } from 'node:diagnostics_channel';
import type { Repository } from '../../../src/domain/ports.ts';
import { gitHubSite, gitLabSite, keepArtifact, type CiSite, type JobVariables } from '../../flows/ci-site.ts';
import { flowClock, waitsForDisk } from '../../helpers/flow-clock.ts';
import { MemoryBranch } from '../../helpers/memory-branch.ts';
import { memoryRepository, type MemoryCommit } from '../../helpers/memory-repository.ts';
import type { Pull } from '../../provider/world.ts';
import type { Line } from '../command-line.ts';
import { filesOf, type Declaration } from '../declared.ts';
import { Dice } from '../dice.ts';
import { drawDeed, drawEdit, drawFault, drawHand, drawRun } from '../draw.ts';
import { WORKSPACE } from '../herald.ts';
import * as chaos from '../play.ts';
import { SLOTS, type Allow, type Edit, type Run, type Slot, type Step } from '../scenario.ts';
import type { Agreed, Process, Trace } from '../trace.ts';

type Commit = MemoryCommit & { readonly declares: Declaration };
type Proposal = { readonly pull: Pull; base: Commit; head: Commit; agreed: readonly Agreed[] };
type Push = { readonly before: Commit; readonly commit: Commit; readonly agreed: readonly Agreed[] };
/** An apply job, and what the tip of main declared while it ran. */
export type Job = Push & { readonly process: Process; readonly tip: Declaration };
export type CiTrace = Trace & { readonly jobs: readonly Job[]; readonly isQuiet: boolean };

/** The forge answers on real sockets, and no virtual time passes meanwhile. */
let underWay = 0;
subscribe('undici:request:create', () => void (underWay += 1));
for (const end of ['trailers', 'error']) subscribe(`undici:request:${end}`, () => void (underWay -= 1));

const ROUNDS_UNTIL_QUIET = 4;

/** Plays the story of a seed to its end: pull requests, merges and their jobs, people, time and faults. */
export async function playCi(seed: number): Promise<CiTrace> {
  const dice = new Dice(seed);
  const site = await dice.pick([gitHubSite, gitLabSite])();
  try {
    const story = new Story(seed, dice, site);
    await story.propose();
    for (let turn = dice.int(4, 8); turn > 0; turn -= 1) await story.step();
    return await story.end();
  } finally {
    await site.served.close();
  }
}

class Story {
  readonly #dice: Dice;
  readonly #site: CiSite;
  readonly #stage: chaos.Stage;
  readonly #allow: readonly Allow[];
  readonly #workspace: string;
  readonly #commits: Commit[] = [];
  readonly #proposals: Proposal[] = [];
  readonly #pushes: Push[] = [];
  readonly #jobs: Job[] = [];
  #tip: Commit;
  #checkedOut: Commit;

  constructor(seed: number, dice: Dice, site: CiSite) {
    this.#dice = dice;
    this.#site = site;
    this.#allow = ['prune', 'large', dice.pick(['large', 'resume', 'recall', 'adopt'] as const)];
    const state = dice.oneIn(2) ? 'state: { git_branch: herald-state }\n' : '';
    this.#workspace = `${WORKSPACE}${state}allow: [${this.#allow.join(', ')}]\n`;
    this.#tip = this.#checkedOut = this.#commit(new Map());
    const repository = new Proxy({} as Repository, {
      get: (_target, key) => {
        const now = memoryRepository([...this.#commits, this.#checkedOut], this.#tip.id);
        return Reflect.get(now, key) as unknown;
      },
    });
    const scenario = { seed, startMin: dice.pick([0, 20, 50, 53, 57]), crowded: false };
    const clock = flowClock(undefined, () => waitsForDisk() || underWay > 0);
    const files = { 'herald.yaml': this.#workspace };
    this.#stage = chaos.openStage(scenario, clock, { repository, files, git: new MemoryBranch().git });
  }

  async step(): Promise<void> {
    const dice = this.#dice;
    const deed = drawDeed(dice, SLOTS);
    const command = drawHand(dice, deed.slot, ['pause', 'pause', 'archive', 'recall']);
    const play = (step: Step) => () => chaos.playStep(this.#stage, step);
    const many = this.#proposals.length;
    const turn = dice.weighted<() => Promise<void>>([
      [5, () => (many > 2 ? this.#merge(1) : this.propose())],
      [7, () => (many === 0 ? this.propose() : this.#merge(dice.pick([1, 1, 2])))],
      [2, () => (this.#pushes.length === 0 ? this.propose() : this.#apply(dice.pick(this.#pushes), true))],
      [1, () => this.#merge(0)],
      [2, () => this.#unlock()],
      [3, play({ kind: 'person', deed })],
      [2, play({ kind: 'run', runs: [{ ...chaos.QUIET, operator: 1, command }], faults: [] })],
      [2, play({ kind: 'wait', sec: dice.pick([5, 15, 70, 100, 3600, 90_000]) })],
      [1, play({ kind: 'fan' })],
    ]);
    await turn();
  }

  /** Opens a pull request, and runs its plan job. */
  async propose(): Promise<void> {
    const base = this.#tip;
    const head = this.#edit('a pull request');
    const pull = this.#site.served.world.open({ head: head.id, base: base.id });
    const proposal: Proposal = { pull, base, head, agreed: [] };
    this.#proposals.push(proposal);
    await this.#plan(proposal);
  }

  /** A commit on top of main. The first one adds something. */
  #edit(who: string): Commit {
    const dice = this.#dice;
    const { author, service } = this.#stage;
    author.checkOut(this.#tip.declares);
    const write = { does: 'write', hoursAhead: dice.pick([1, 2, 30]), both: dice.oneIn(3) } as const;
    const edits = dice.some(1, 2, (): Edit =>
      this.#pushes.length === 0 ? { slot: dice.pick(SLOTS), ...write } : drawEdit(dice, SLOTS),
    );
    for (const one of edits) author.edit(one, service.now());
    chaos.note(this.#stage, `${who}: ${JSON.stringify(edits)}`);
    return this.#commit(author.declaration, this.#tip);
  }

  /** Brings main into the branch of a pull request, runs its plan job, and keeps the artifact. */
  async #plan(proposal: Proposal): Promise<void> {
    const head = this.#commit(mergeInto(this.#tip.declares, proposal), proposal.head, this.#tip);
    Object.assign(proposal, { base: this.#tip, head });
    this.#site.served.world.push(proposal.pull, head.id);
    const { plansMerge, outDir, planJob } = this.#site;
    const checkout = plansMerge ? this.#commit(head.declares, this.#tip, head) : head;
    const run = this.#nextRun;
    const job = planJob({ run, pull: proposal.pull, base: this.#tip.id, head: head.id, merge: checkout.id });
    const args = ['ci', 'plan', '--out-dir', outDir];
    const { stdout } = await this.#run(job, checkout, chaos.QUIET, { args, does: 'look', allow: [] });
    proposal.agreed = chaos.changesIn(stdout);
    keepArtifact(this.#site, run, this.#stage.herald.files);
  }

  /** Merges so many pull requests in one push, perhaps with a direct commit after them, and mostly runs the job. */
  async #merge(count: number): Promise<void> {
    const dice = this.#dice;
    const before = this.#tip;
    const merged = this.#proposals.splice(0, count);
    for (const proposal of merged) {
      // Otherwise, who merges resolves a conflict as the pull request has it.
      if (dice.oneIn(3)) await this.#plan(proposal);
      const how = dice.pick(['merge', 'squash'] as const);
      const others = how === 'merge' ? [proposal.head] : [];
      this.#tip = this.#commit(mergeInto(this.#tip.declares, proposal), this.#tip, ...others);
      this.#site.served.world.merge(proposal.pull, this.#tip.id, how);
      chaos.note(this.#stage, `${how} of pull request ${proposal.pull.number}`);
    }
    if (merged.length === 0 || dice.oneIn(6)) this.#tip = this.#edit('a direct commit');
    const push = { before, commit: this.#tip, agreed: merged.flatMap(({ agreed }) => agreed) };
    this.#pushes.push(push);
    if (!dice.oneIn(6)) await this.#apply(push, true);
  }

  /** Runs the apply job of a push, for the first time or again. */
  async #apply(push: Push, hasFaults: boolean): Promise<void> {
    const dice = this.#dice;
    const command = drawHand(dice, dice.pick(SLOTS), ['pause', 'archive']);
    const between = dice.oneIn(8) ? { nth: dice.int(1, 16), command } : null;
    const run = hasFaults ? { ...drawRun(dice, SLOTS, 0), between } : chaos.QUIET;
    for (const fault of hasFaults ? dice.some(0, 2, () => drawFault(dice, SLOTS)) : []) {
      this.#stage.service.arm(fault);
      chaos.note(this.#stage, `fault: ${JSON.stringify(fault)}`);
    }
    const { before, commit, agreed } = push;
    const ids = { commit: commit.id, before: before.id };
    const job = this.#site.pushJob({ run: this.#nextRun, event: 'push', ...ids });
    const args = ['ci', 'apply', '--keeps-state'];
    const line: Line = { args, does: 'apply', allow: this.#allow, agreed, targeted: true };
    const process = await this.#run(job, commit, run, line);
    this.#stage.service.disarm();
    this.#jobs.push({ ...push, process, tip: this.#tip.declares });
    if (process.end === 'killed' && !dice.oneIn(3)) await this.#unlock();
  }

  #run({ env, eventFile }: JobVariables, commit: Commit, run: Run, line: Line): Promise<Process> {
    const { author, herald } = this.#stage;
    this.#checkedOut = commit;
    author.checkOut(commit.declares);
    chaos.writeFiles(herald, author);
    herald.files['event.json'] = eventFile ?? '';
    return chaos.start(this.#stage, run, { ...line, env });
  }

  async #unlock(): Promise<void> {
    const args = ['state', 'unlock', '--yes'];
    await chaos.start(this.#stage, chaos.QUIET, { args, does: 'hand', allow: [] });
  }

  /** The faults end, and the job of each push runs again until none of them sends anything. */
  async end(): Promise<CiTrace> {
    const { clock, service } = this.#stage;
    chaos.note(this.#stage, 'the faults end');
    await this.#unlock();
    let isQuiet = false;
    for (let round = 1; round <= ROUNDS_UNTIL_QUIET && !isQuiet; round += 1) {
      clock.move(chaos.ALL_LANDED_MS);
      const sent = service.requests.length;
      for (const push of this.#pushes) await this.#apply(push, false);
      isQuiet = service.requests.slice(sent).every(({ wants }) => wants === null);
    }
    return { ...chaos.traceOf(this.#stage, null), jobs: this.#jobs, isQuiet };
  }

  #commit(declares: Declaration, ...parents: readonly Commit[]): Commit {
    const id = `${this.#commits.length + 100_000}`.padEnd(40, '0');
    const files = { 'herald.yaml': this.#workspace, ...filesOf(declares) };
    const commit = { id, parents: parents.map((parent) => parent.id), files, declares };
    this.#commits.push(commit);
    return commit;
  }

  get #nextRun(): string {
    return `7${this.#stage.processes.length}`;
  }
}

/** Main with what a pull request changes. */
function mergeInto(main: Declaration, { base, head }: Proposal): Declaration {
  const changed = changedSlots(base.declares, head.declares);
  const kept = [...main].filter(([slot]) => !changed.includes(slot));
  return new Map([...kept, ...[...head.declares].filter(([slot]) => changed.includes(slot))]);
}

function changedSlots(left: Declaration, right: Declaration): readonly Slot[] {
  return SLOTS.filter((slot) => JSON.stringify(left.get(slot)) !== JSON.stringify(right.get(slot)));
}
