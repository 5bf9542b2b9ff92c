import { run } from './main.ts';

// `herald plan | head` closes the pipe early: what is not read is not wanted, and no fault of anybody's.
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error;
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
