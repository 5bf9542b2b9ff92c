import type { LocalFile } from '../api/upload-file.ts';
import { visible, visibleProse } from '../domain/visible.ts';
import { shorten } from '../render/shorten.ts';
import { formatBytes } from '../render/values.ts';
import type { Context } from './context.ts';
import type { ApplyUploadPorts } from '../acts/upload/upload.ts';

interface Entry {
  readonly file: LocalFile;
  sent: number;
  phase: string;
  ended: boolean;
}

/** Least time between two redraws. */
const REDRAW_MS = 100;
const NAME_COLUMNS = 24;

/** Draws a batch of uploads as one line: `1 of 3 files, 62% of 1.2 GiB · hello.mp4 uploading`. */
export class UploadProgress {
  readonly #context: Pick<Context, 'clock' | 'output'>;
  readonly #entries: Entry[] = [];
  #drawnMs = Number.NEGATIVE_INFINITY;

  constructor(context: Pick<Context, 'clock' | 'output'>) {
    this.#context = context;
  }

  /** The callbacks for the upload of one file. The line is cleared when the last upload ends. */
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
        if (this.#entries.every(({ ended }) => ended)) this.clear();
        else this.#draw(true);
      },
    };
  }

  clear(): void {
    this.#context.output.progress('');
  }

  #draw(now: boolean): void {
    const { clock, output } = this.#context;
    const nowMs = clock.monotonicMs();
    if (!now && nowMs - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = nowMs;
    const entries = this.#entries;
    const ended = entries.filter((entry) => entry.ended).length;
    const active = entries.filter((entry) => !entry.ended && entry.phase !== '');
    const total = entries.reduce((sum, { file }) => sum + file.size, 0);
    const sent = entries.reduce((sum, entry) => sum + (entry.ended ? entry.file.size : entry.sent), 0);
    // Rounded down, so that 100 % means complete.
    const share = total === 0 ? 100 : Math.floor((100 * sent) / total);
    const words = `${ended} of ${entries.length} files, ${share}% of ${formatBytes(total)}`;
    const each = active.map(({ file, phase }) => `${shorten(visible(file.name), NAME_COLUMNS)} ${phase}`);
    output.progress(visible([words, ...each].join(' · ')));
  }
}
