import { joined, shown, type Visible, visible } from '../domain/visible.ts';
import { formatBytes } from './values.ts';
import { shorten } from './shorten.ts';

/** Progress of one file. */
interface FileProgress {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly sent: number;
  readonly phase: string;
}

export interface BatchProgress {
  /** Files in progress. Finished ones are only counted. */
  readonly active: readonly FileProgress[];
  readonly files: number;
  readonly ended: number;
  /** Size of all files together, in bytes. */
  readonly total: number;
  readonly sent: number;
  /** In bytes per second. Null while it is unknown. */
  readonly perSecond: number | null;
}

const BAR_COLUMNS = 16;
const NAME_COLUMNS = 24;

/** `[#####-----------] 31% of 1.2 GiB, 85.0 MiB/s, 0:10 left · hello.mp4 62%`: one line for the terminal. */
export function renderUploadProgress(batch: BatchProgress): Visible {
  const { active, files, ended, total, sent, perSecond } = batch;
  const share = total === 0 ? 1 : sent / total;
  const filled = Math.floor(share * BAR_COLUMNS);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_COLUMNS - filled)}]`;
  const words = [`${bar} ${percent(share)} of ${formatBytes(total)}`];
  if (perSecond !== null && perSecond > 0 && sent < total)
    words.push(`${formatBytes(perSecond)}/s`, `${formatLeft(((total - sent) / perSecond) * 1000)} left`);
  if (files > 1) words.push(`${ended} of ${files} done`);
  return joined([visible(words.join(', ')), ...active.map(renderFile)], ' · ');
}

function renderFile({ name, size, sent, phase }: FileProgress): Visible {
  const what = phase === 'uploading' ? percent(sent / size) : phase;
  return shown`${shorten(visible(name), NAME_COLUMNS)} ${what}`;
}

/** `1:05`, `2:00:00`. */
function formatLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** Rounded down, so that 100 % means complete. */
function percent(share: number): string {
  return `${Math.floor(share * 100)}%`;
}
