import type { Context } from './context.ts';
import type { LocalFile } from '../api/upload-file.ts';
import type { ApplyUploadPorts } from '../acts/upload/for-apply.ts';
import { renderUploadProgress } from '../render/upload-progress.ts';
import { visibleProse } from '../domain/visible.ts';

interface Entry {
  readonly file: LocalFile;
  sent: number;
  phase: string;
  ended: boolean;
}

/** Least time between two redraws. */
const REDRAW_MS = 100;
/** The rate is measured over this time, so that it follows a connection that slows down. */
const RATE_WINDOW_MS = 5_000;

/** Draws the progress of a batch of uploads. */
export class UploadProgress {
  readonly #context: Context;
  readonly #entries: Entry[] = [];
  readonly #samples: { readonly atMs: number; readonly sent: number }[] = [];
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The callbacks for the upload of one file. */
  follow(file: LocalFile): ReturnType<ApplyUploadPorts['follow']> {
    const entry: Entry = { file, sent: 0, phase: '', ended: false };
    this.#entries.push(entry);
    return {
      onBytes: (sent) => {
        entry.sent = sent;
        this.#draw(false);
      },
      onPhase: (phase) => {
        entry.phase = phase;
        this.#draw(true);
      },
      onWarning: (sentence) => this.#context.output.say(visibleProse(sentence)),
      onEnd: () => {
        entry.ended = true;
        this.#draw(true);
      },
    };
  }

  /** Clears the progress line if nothing is being uploaded. */
  clearWhenIdle(): void {
    if (this.#entries.every(({ ended }) => ended)) this.clear();
  }

  clear(): void {
    this.#context.output.progress('');
  }

  #draw(now: boolean): void {
    const nowMs = this.#context.clock.monotonicMs();
    if (!now && nowMs - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = nowMs;
    const entries = this.#entries;
    const sent = sum(entries.map((entry) => (entry.ended ? entry.file.size : entry.sent)));
    const active = entries.filter((entry) => !entry.ended && entry.phase !== '');
    this.#context.output.progress(
      renderUploadProgress({
        active: active.map((entry) => ({ ...entry, name: entry.file.name, size: entry.file.size })),
        files: entries.length,
        ended: entries.filter((entry) => entry.ended).length,
        total: sum(entries.map(({ file }) => file.size)),
        sent,
        perSecond: this.#rate(nowMs, sent),
      }),
    );
  }

  #rate(nowMs: number, sent: number): number | null {
    this.#samples.push({ atMs: nowMs, sent });
    while ((this.#samples[0]?.atMs ?? nowMs) < nowMs - RATE_WINDOW_MS) this.#samples.shift();
    const first = this.#samples[0];
    if (first === undefined || nowMs <= first.atMs || sent < first.sent) return null;
    return ((sent - first.sent) / (nowMs - first.atMs)) * 1000;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
