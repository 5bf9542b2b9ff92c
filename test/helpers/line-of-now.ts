import { LEDGER_FILE, type Scene } from './scene.ts';

/** A line that is written at that time, about an object of an account that no one uses. A compaction keeps the last week. */
export function lineWrittenAt(nowMs: number): string {
  const at = new Date(nowMs).toISOString();
  const object = { account: 'none', account_id: '999', kind: 'campaign', name: 'Now', live_id: '1' };
  return `${JSON.stringify({ v: 1, at, at_skew_ms: 0, run: 'now', type: 'seen', ...object })}\n`;
}

/** The ledger of the scene gets one more line, so that all others are older. */
export function addLineOfNow(scene: Scene): void {
  const line = lineWrittenAt(scene.clock.now());
  scene.files.tree[LEDGER_FILE] = `${scene.files.tree[LEDGER_FILE] ?? ''}${line}`;
}
