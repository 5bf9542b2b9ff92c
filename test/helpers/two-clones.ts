import { altered } from './altered.ts';
import { aScene, LEDGER_FILE, type Scene } from './scene.ts';
import type { WorldOptions } from '../../src/simulator/world.ts';

const RESET = Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
/** When the request of which Bob hears nothing reaches the service. */
const LATE_MS = 60_000;

/**
 * Two clones of a workspace, Alice's and Bob's, with one service. A git pull brings Bob's lines into Alice's ledger. Undo
 * it with `vi.unstubAllGlobals`.
 */
export function twoClones(files: Readonly<Record<string, string>> = {}, modes: WorldOptions['modes'] = {}) {
  const turn = {
    of: 'alice' as 'alice' | 'bob',
    isAnswered: false,
    /** Writes of Bob. */
    bobs: 0,
    /** When each write was sent, by Alice or Bob. */
    sent: [] as { readonly by: 'alice' | 'bob'; readonly atMs: number }[],
  };
  const alter: { of: Parameters<typeof altered>[0] } = { of: (_request, answer) => answer() };
  const service = altered(
    async (request, answer) => {
      if (request.method === 'GET') return answer();
      turn.sent.push({ by: turn.of, atMs: service.scene.clock.now() });
      if (turn.of === 'alice') return alter.of(request, answer);
      turn.bobs += 1;
      if (turn.isAnswered) return answer();
      const late = request.clone();
      void service.scene.clock.sleep(LATE_MS).then(() => service.simulator.fetch(late));
      throw RESET;
    },
    { files, world: { modes } },
  );
  const { scene } = service;
  const ledgerOf = ({ files: { tree } }: Scene) => tree[LEDGER_FILE] ?? '';
  /** A clone of what Alice has now. */
  const forBob = (): Scene => {
    const clone = aScene({ files: { ...scene.files.tree }, clock: scene.clock, who: 'bob' });
    Object.assign(clone.env, scene.env);
    return clone;
  };
  /** A git pull brings what Bob's ledger has behind `before`. */
  const bring = (bob: Scene, before = '') => {
    scene.files.tree[LEDGER_FILE] = ledgerOf(scene) + ledgerOf(bob).slice(before.length);
  };
  /** Bob's command, with every answer. */
  const answered = async (bob: Scene, ...command: readonly string[]) => {
    Object.assign(turn, { of: 'bob', isAnswered: true });
    const ran = await bob.herald(...command);
    Object.assign(turn, { of: 'alice', isAnswered: false });
    return ran;
  };
  /** Bob's command dies with its first write unanswered, and a git pull brings its lines to Alice. */
  const pull = async (bob: Scene, command: readonly string[]) => {
    const [before, bobs] = [ledgerOf(bob), turn.bobs];
    turn.of = 'bob';
    await killedAfterSend(bob, command, () => turn.bobs > bobs);
    bring(bob, before);
    turn.of = 'alice';
  };
  /** Alice's next write is asked to wait; meanwhile this happens. */
  const throttledOnce = (meanwhile: () => Promise<unknown>, sec = 45) => {
    let isOver = false;
    alter.of = async (_request, answer) => {
      if (isOver) return answer();
      isOver = true;
      await meanwhile();
      return new Response('{"error":"slow down"}', { status: 429, headers: { 'retry-after': String(sec) } });
    };
  };
  return { ...service, alter, turn, forBob, bring, answered, pull, throttledOnce };
}

async function killedAfterSend(
  clone: Scene,
  command: readonly string[],
  hasSent: () => boolean,
): Promise<void> {
  const run = clone.start(...command);
  let isOver = false;
  clone.files.onWrite = () => {
    if (!hasSent()) return 'done';
    isOver = true;
    run.kill();
    return 'frozen';
  };
  while (!isOver) await new Promise((resolve) => setImmediate(resolve));
  clone.files.onWrite = () => 'done';
}
