import { Writable } from 'node:stream';
import { widthOf } from './output.ts';

/** The members of a terminal besides its stream. */
interface Sized {
  readonly columns?: number;
  readonly rows?: number;
}

const ESCAPE = '\u001b';
const COLOURS = new RegExp(String.raw`${ESCAPE}\[[\d;]*m`, 'g');

/**
 * A terminal as a prompt should see it: without colour where none is wanted, which the prompt itself asks another
 * stream about, and never with the 0 columns of a terminal that does not know its width. `close` lets go of it.
 */
export class PromptTerminal extends Writable {
  readonly #terminal: Writable & Sized;
  readonly #colour: boolean;
  readonly #onResize = () => void this.emit('resize');

  constructor(terminal: Writable & Sized, colour: boolean) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
    this.#colour = colour;
    terminal.on('resize', this.#onResize);
  }

  get columns(): number {
    return widthOf(this.#terminal);
  }

  get rows(): number | undefined {
    return this.#terminal.rows;
  }

  close(): void {
    this.#terminal.off('resize', this.#onResize);
  }

  override _write(piece: string | Uint8Array, _encoding: string, done: () => void): void {
    const text = Buffer.from(piece).toString('utf8');
    this.#terminal.write(this.#colour ? text : text.replace(COLOURS, ''));
    done();
  }
}
