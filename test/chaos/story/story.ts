import type { World } from '../../../src/simulator/world.ts';
import { commitWords, dispatchWords } from './event-words.ts';
import { answerWords, isTold, requestWords } from './request-words.ts';

const KEY_HEADER = 'x-svc-auth-token';

type Send = (request: Request) => Promise<Response>;

/**
 * Tells what happens in one scenario, line by line and in the order of time: commands, the requests that change
 * something or fail, what the service made of them, and what fans got.
 */
export class Story {
  readonly #world: World;
  readonly #nowMs: () => number;
  readonly #out: (line: string) => void;
  /** A command that nothing has followed yet: where nothing does, it is told in one line. */
  #begun: string | null = null;
  readonly #names = new Map<string, string>();
  #commits = 0;
  #dispatches = 0;
  #requests = 0;

  constructor(world: World, nowMs: () => number, out: (line: string) => void) {
    this.#world = world;
    this.#nowMs = nowMs;
    this.#out = out;
  }

  say(words: string): void {
    this.#goOn();
    this.#line(this.#nowMs(), words);
  }

  begins(command: string): void {
    this.#goOn();
    this.#begun = command;
  }

  /** From here on requests with this key are those of a person with a name. */
  meet(key: string, name: string): void {
    this.#names.set(key, name);
  }

  /** How a command ended; `words` is empty where it had nothing to do. */
  ends(exit: string, words: readonly string[]): void {
    if (this.#begun !== null && words.length === 0 && !this.#hasNews()) {
      this.#line(this.#nowMs(), `${this.#begun}: nothing to do, ${exit}`);
      this.#begun = null;
      return;
    }
    this.say(`    ${exit}`);
    for (const each of words) this.say(`        ${each}`);
  }

  /** Sends a request and tells of it and of its answer, unless it is a read that succeeds. */
  async exchange(request: Request, send: Send): Promise<Response> {
    const words = await requestWords(request);
    const number = words.isWrite ? (this.#requests += 1) : 0;
    const who = this.#names.get(request.headers.get(KEY_HEADER) ?? '') ?? 'someone';
    if (words.isWrite) this.say(`    request ${number}, ${who}: ${words.text}`);
    const name = words.isWrite ? `request ${number}` : `${who} ${words.text}`;
    try {
      const answer = await send(request);
      if (isTold(words, answer.status)) this.say(`    ${name}: ${answerWords(answer.status)}`);
      return answer;
    } catch (error) {
      this.say(`    ${name}: no answer (${causeWords(error)})`);
      throw error;
    }
  }

  #hasNews(): boolean {
    const { commits, dispatches } = this.#world;
    return commits.length > this.#commits || dispatches.length > this.#dispatches;
  }

  /** What has happened on the service since the last line, each at its own time. */
  #goOn(): void {
    if (this.#begun !== null) {
      const command = this.#begun;
      this.#begun = null;
      this.#line(this.#nowMs(), command);
    }
    const { commits, dispatches } = this.#world;
    const events = [
      ...commits.slice(this.#commits).map((one) => ({ at: one.at, words: commitWords(one) })),
      ...dispatches.slice(this.#dispatches).map((one) => ({ at: one.at, words: dispatchWords(one) })),
    ];
    this.#commits = commits.length;
    this.#dispatches = dispatches.length;
    for (const { at, words } of events.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at)))
      this.#line(Date.parse(at), `    ${words}`);
  }

  #line(atMs: number, words: string): void {
    this.#out(`${new Date(atMs).toISOString().slice(5, 19).replace('T', ' ')}  ${words}`);
  }
}

function causeWords(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message : String((error as Error).message);
}
