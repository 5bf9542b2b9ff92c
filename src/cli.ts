import { run } from './main.ts';

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
