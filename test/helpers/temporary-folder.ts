import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { folderInMemory, writeFiles, type FileContents } from './folders.ts';

/** A folder with these files, which goes with its test. */
export function temporaryFolder(files: FileContents = {}): string {
  const directory = mkdtempSync(join(folderInMemory(), 'herald-test-'));
  onTestFinished(() => removeFolder(directory));
  writeFiles(directory, files);
  return directory;
}

/** A folder on the disk, which goes after all tests of the file: for what they share, and for tests that run at the same time. */
export function folderForFile(files: FileContents = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'herald-tests-'));
  afterAll(() => removeFolder(directory));
  writeFiles(directory, files);
  return directory;
}

function removeFolder(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}
