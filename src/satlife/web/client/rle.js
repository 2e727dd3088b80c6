// Cells as RLE.

const LINE = 70;

/** Write rows of "o", ".", "?" as runs, without dead cells at the ends. @param {string[]} rows */
export function writeRuns(rows) {
  const tokens = [];
  let ended = 0;
  for (const row of rows.map((each) => each.replaceAll(".", "b").replace(/b+$/, ""))) {
    for (const [run] of row.matchAll(/(.)\1*/g)) {
      if (ended) tokens.push(ended > 1 ? `${ended}$` : "$");
      ended = 0;
      tokens.push(run.length > 1 ? `${run.length}${run[0]}` : run);
    }
    ended++;
  }
  return [...tokens, "!"];
}

/** Write rows with their size, their place and their rule, if that is said. @param {string[]} rows @param {{x: number, y: number}} place @param {string} rule */
export function writeRle(rows, { x, y }, rule) {
  const lines = [...(x || y ? [`#CXRLE Pos=${x},${y}`] : []), `x = ${rows[0]?.length ?? 0}, y = ${rows.length}${rule && `, rule = ${rule}`}`, ""];
  for (const token of writeRuns(rows)) {
    if ((lines.at(-1)?.length ?? 0) + token.length > LINE) lines.push("");
    lines[lines.length - 1] += token;
  }
  return lines.join("\n");
}
