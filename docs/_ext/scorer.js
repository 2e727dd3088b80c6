// How the documents' search orders what it finds: first what tells how to do something, then what a
// command or a file means; what concerns the project itself comes last.  Sphinx puts this file into its own.

/** By the beginning of the page's name; the first that fits counts. @type {[string, number][]} */
const PLACES = [
  ["how-to/index", 0], ["how-to/", 8], ["install", 8], ["tutorial/", 6], ["faq", 4], ["reference/cli/", 5],
  ["reference/api", -4], ["reference/", 4], ["campaigns", 2], ["knuth/", -2], ["atlas/", -3], ["finds", -1],
  ["changelog", -12], ["contributing", -12], ["releasing", -12], ["benchmarks", -8], ["security", -4], ["campaign-security", -4],
];

var Scorer = {
  /** What a page is about stands in its index entries; those of the glossary only explain a word.
   * @param {[string, string, string, string | null, number, string, string]} result */
  score: ([page, , , , score, , kind]) => (page === "reference/glossary" ? Math.min(score, 10) : score) + (PLACES.find(([begin]) => page.startsWith(begin))?.[1] ?? 0) - (kind === "object" ? 12 : 0),
  objNameMatch: 11,
  objPartialMatch: 0,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
