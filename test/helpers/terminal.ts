import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface AtTerminal {
  readonly directory: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Typed before the program has even started. */
  readonly early?: string;
  /** Each is done once, when its text has come to the terminal since the one before. */
  readonly steps?: readonly Step[];
}

export interface Step {
  readonly text: string;
  act(run: { type(keys: string): void; kill(signal: NodeJS.Signals): void }): void;
}

/** Runs a command at a pseudo-terminal, which `script` makes. */
export async function atTerminal(run: AtTerminal) {
  const { directory, command, env = {}, early = '', steps = [] } = run;
  const inside = (name: string) => join(directory, name);
  const words = command.map((word) => `'${word}'`).join(' ');
  writeFileSync(
    inside('run.sh'),
    `stty cols 80 rows 40; stty -g >before; sh -c 'echo $$ >pid; exec "$@"' sh ${words}; echo $? >code; stty -g >after\n`,
  );
  const script =
    process.platform === 'darwin' ? ['/dev/null', 'sh', 'run.sh'] : ['-ec', 'sh run.sh', '/dev/null'];
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('script', ['-q', ...script], {
    cwd: directory,
    env: { PATH, HOME, TERM: 'xterm-256color', ...env },
  });
  /** Everything that came to the terminal, escapes included. */
  let shown = '';
  let seen = 0;
  const left = [...steps];
  child.stdin.write(early);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [step] = left;
    const at = step === undefined ? -1 : shown.indexOf(step.text, seen);
    if (step === undefined || at < 0) return;
    seen = at + step.text.length;
    left.shift();
    step.act({
      type: (keys) => void child.stdin.write(keys),
      kill: (signal) => void process.kill(Number(readFileSync(inside('pid'), 'utf8')), signal),
    });
  });
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const [before = '', after = '', code = ''] = ['before', 'after', 'code'].map((name) =>
    readFileSync(inside(name), 'utf8').trim(),
  );
  /** The terminal's settings, before the run and after it. */
  const settings = [before, after] as const;
  return { code: Number(code), shown, settings };
}
