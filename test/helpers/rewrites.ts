import { broadcast, campaign, declaring } from './declare-live.ts';
import type { Scene } from './scene.ts';

/** What the files say, and what a service that rewrites texts makes of it. */
export const SENT = 'Wait...';
export const SHOWN = 'Wait…';

/** A campaign and a broadcast with that text: as files, and as the service shows the same before it rewrites them. */
export const REWRITTEN_KINDS = [
  {
    kind: 'campaign',
    running: 'active',
    name: 'Welcome',
    files: (more = {}) => declaring({ campaigns: [campaign({ messages: [{ text: SENT }], ...more })] }),
    equal: { name: 'Welcome', messages: [{ text: SENT }] },
  },
  {
    kind: 'broadcast',
    running: 'scheduled',
    name: 'Teaser',
    files: (more = {}) => declaring({ broadcasts: [broadcast({ messages: [{ text: SENT }], ...more })] }),
    equal: { name: 'Teaser', messages: [{ text: SENT }], scheduled_at: '2026-06-01T15:00:00Z' },
  },
] as const;
export type RewrittenKind = (typeof REWRITTEN_KINDS)[number];

/** From now on the service rewrites the text of everything that is created, this long after it. */
export function rewriting(scene: Scene, { kind }: RewrittenKind, afterSec = 20): Promise<void> {
  return scene.fault({
    kind: 'late_rewrite',
    operation: `${kind}s.create`,
    after_sec: afterSec,
    from: '...',
    to: '…',
  });
}
