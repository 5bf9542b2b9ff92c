/** What the command line of a script asks for. A mistake in it ends the script with one sentence and exit 2. */
export function optionsOrExit<Options>(read: (args: readonly string[]) => Options): Options {
  try {
    return read(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}
