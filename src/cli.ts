import { run } from './main.ts';

// A reader that goes away (`| head`), or a full disk, must not end an apply between a call and its record.
process.stderr.on('error', () => undefined);
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') console.error(`error: the result could not be written: ${error.message}`);
});

run(process).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    console.error('This is a bug in Herald, not a mistake of yours. Please report it with these lines:');
    console.error(error);
    process.exitCode = 1;
  },
);
