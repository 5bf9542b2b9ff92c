import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { heraldHere } from './herald-here.ts';

/** The command line for many shells at once, without a start of Node for each of its commands. */
export interface HeraldForShells {
  /** What a script of bash has in place of `herald "$@"`. */
  readonly command: string;
  close(): Promise<void>;
}

/** A call is a folder of files, and its answer two more of them and an exit code. */
const command = (folder: string, port: number) => `call=$(mktemp -d "${folder}/call-XXXXXX")
env -0 > "$call/env"
printf '%s\\0' "$PWD" "$@" > "$call/words"
cat > "$call/input"
exec 3<> /dev/tcp/127.0.0.1/${port}
echo "$call" >&3
read -r code <&3
cat "$call/stdout"
cat "$call/stderr" >&2
exit "\${code:-70}"`;

/** Runs the commands of shells in this process; their calls are kept in the folder. */
export async function heraldForShells(folder: string): Promise<HeraldForShells> {
  const server = createServer((socket) => {
    socket.once('data', (said) => {
      void answer(said.toString().trim())
        .catch((error: unknown) => {
          console.error(error);
          return 70;
        })
        .then((code) => socket.end(`${code}\n`));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    command: command(folder, port),
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(call: string): Promise<number> {
  const [directory = '', ...args] = fieldsOf(join(call, 'words'));
  const env = Object.fromEntries(
    fieldsOf(join(call, 'env')).map((field) => {
      const [name = '', ...value] = field.split('=');
      return [name, value.join('=')];
    }),
  );
  const input = readFileSync(join(call, 'input'), 'utf8');
  const { code, stdout, stderr } = await heraldHere(directory, { args, env, input });
  writeFileSync(join(call, 'stdout'), stdout);
  writeFileSync(join(call, 'stderr'), stderr);
  return code;
}

/** Fields that each end with a NUL. */
function fieldsOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\0').slice(0, -1);
}
