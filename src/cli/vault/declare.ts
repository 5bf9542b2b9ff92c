import { InvalidArgumentError, Option, type Command } from 'commander';
import { type Act, collect, group, lockTimeout, milliseconds, sub, wholeNumber } from '../sub.ts';

interface UploadOptions {
  readonly account?: string;
  readonly name?: string;
  readonly contentType?: string;
  readonly type?: 'post' | 'message';
  readonly fan?: string;
  readonly guest: string[];
  readonly partner: string[];
  readonly tag: string[];
  readonly duration?: number;
  readonly again?: boolean;
  /** Milliseconds. False for --no-wait. */
  readonly wait: number | false;
  readonly parallel: number;
}

const ACCOUNT = ['--account <name>', 'alias or id of the account'] as const;
const HALF_AN_HOUR_MS = 1_800_000;

/** Declares the vault's commands. Its lists are declared elsewhere. */
export function declareVault(program: Command, act: Act): void {
  const vault = group(program, 'vault', 'list, upload and check media');
  declareUpload(vault, act);
  sub(vault, 'retry <UPLOAD>', 'queue a stuck upload again', [
    'herald vault retry 0b0f7a52-5d7e-4a55-9d62-3f1d3c0c8a11 --account alice',
  ])
    .option(...ACCOUNT)
    .option('--yes', 'accepted for consistency; has no effect')
    .action((upload: string, flags: { account?: string }, command: Command) =>
      act(command, async (context) =>
        (await import('./retry.ts')).vaultRetryCommand(context, upload, {
          account: flags.account,
        }),
      ),
    );
  sub(vault, 'verify-fan <URL>', 'print the id of a fan, given a link', [
    'herald vault verify-fan https://HOST/some_fan --account alice',
  ])
    .option(...ACCOUNT)
    .action((link: string, flags: { account?: string }, command: Command) =>
      act(command, async (context) =>
        (await import('./fan.ts')).vaultVerifyFanCommand(context, link, {
          account: flags.account,
        }),
      ),
    );
  sub(vault, 'thumbnail <MEDIA>', "save a media's thumbnail", [
    'herald vault thumbnail 9007199254740993 --account alice --out thumb.jpg',
  ])
    .option(...ACCOUNT)
    .requiredOption('--out <file>', 'file to write, - for standard output')
    .action((media: string, flags: { account?: string; out: string }, command: Command) =>
      act(command, async (context) =>
        (await import('./thumbnail.ts')).vaultThumbnailCommand(context, media, {
          account: flags.account,
          out: flags.out,
        }),
      ),
    );
}

function declareUpload(vault: Command, act: Act): void {
  sub(vault, 'upload <FILE...>', 'upload files to the vault, each once', [
    'herald vault upload hello.jpg clip.mp4 --account alice',
    'herald vault upload "héllo.jpg" --name hello.jpg --account alice --no-wait',
    'herald vault upload gift.mp4 --account alice --fan https://HOST/some_fan --format json',
  ])
    .option(...ACCOUNT)
    .option('--name <name>', 'name in the vault (default: name of the file)')
    .option('--content-type <type>', 'content type, if name and bytes do not show it')
    .addOption(
      new Option('--type <type>', 'purpose (default: message with --fan, otherwise post)').choices([
        'post',
        'message',
      ]),
    )
    .option('--fan <link>', 'fan who gets the message; checked first')
    .option('--guest <id>', 'sent as rf_guest (repeatable)', collect, [])
    .option('--partner <id>', 'sent as rf_partner (repeatable)', collect, [])
    .option('--tag <id>', 'sent as rf_tag (repeatable)', collect, [])
    .option('--duration <seconds>', 'length of a video or audio', seconds)
    .option('--again', 'upload again even if the same bytes were uploaded before')
    .addOption(
      new Option('--wait <time>', 'wait this long for the result: 90s, 30m, 2h')
        .argParser(milliseconds)
        .default(HALF_AN_HOUR_MS, '30m'),
    )
    .option('--no-wait', 'do not wait after the service has accepted it')
    .option('--parallel <number>', 'parts of a file to send in parallel', wholeNumber(1, 16), 4)
    .option('--yes', 'accepted for consistency; has no effect')
    .addOption(lockTimeout())
    .action((files: string[], flags: UploadOptions, command: Command) =>
      act(command, async (context) =>
        (await import('./upload.ts')).vaultUploadCommand(context, files, {
          account: flags.account,
          name: flags.name,
          contentType: flags.contentType,
          type: flags.type,
          fan: flags.fan,
          guests: flags.guest,
          partners: flags.partner,
          tags: flags.tag,
          duration: flags.duration,
          again: flags.again === true,
          waitMs: flags.wait === false ? null : flags.wait,
          parallel: flags.parallel,
        }),
      ),
    );
}

function seconds(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new InvalidArgumentError('Give a number of seconds of at least 0.');
  return number;
}
