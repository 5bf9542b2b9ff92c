import { broadcast, campaign, declaring } from '../../helpers/declare-live.ts';
import { RESOURCES, type Round } from './shape.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const BROADCAST_AFTER_DAYS = 4;

/** What a resource says in a version. */
export function wordsOf(name: string, words: number): string {
  return `${name} says ${words}`;
}

/** The file of one version. It declares each resource on its accounts. */
export function declarationOf(versions: Round['versions'], startedMs: number): string {
  // No clock of a process is so wrong that this is too late for it.
  const atMs = Math.ceil((startedMs + BROADCAST_AFTER_DAYS * DAY_MS) / HOUR_MS) * HOUR_MS;
  const blocks = RESOURCES.map(({ kind, name, accounts }) => {
    const { words = 0, isPaused = false } = versions[name] ?? {};
    const written = {
      name,
      accounts,
      messages: [{ text: wordsOf(name, words) }],
      ...(isPaused ? { status: 'paused' } : {}),
    };
    return kind === 'campaign'
      ? { campaigns: [campaign(written)] }
      : { broadcasts: [broadcast({ ...written, scheduled_at: new Date(atMs).toISOString() })] };
  });
  const all = {
    campaigns: blocks.flatMap((block) => ('campaigns' in block ? block.campaigns : [])),
    broadcasts: blocks.flatMap((block) => ('broadcasts' in block ? block.broadcasts : [])),
  };
  return Object.values(declaring(all))[0] ?? '';
}
