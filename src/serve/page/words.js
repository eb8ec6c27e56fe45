// The words of the page, in English and Chinese.

const EN = {
  skip: "To the text", texts: "Texts", grammar: "Grammar", summary: "Summary", tree: "Tree", list: "Indented list", compare: "Compare",
  language: "中文", theme: "Theme", help: "Keys", name: "Your name", nameHelp: "Labels are kept under this name.", save: "Save", cancel: "Cancel", close: "Close",
  search: "Search texts", paste: "Paste a text", pasteHelp: "One paragraph a line. It is kept as a file in the folder texts.", pasteName: "Name (may be left empty)", pasteShow: "Keep it and show its tree",
  import: "Import files", importHelp: "Drop rs3, rs4, dis, rsd, txt or JSONL files anywhere on this page.", exportAll: "Export", order: "Order", orderCorpus: "as in the corpus", orderWorth: "most worth your time first", orderTitle: "by title", orderEdus: "longest first", orderState: "by state",
  title: "Title", edus: "EDUs", state: "State", annotators: "Labelled by", minutes: "Minutes", confidence: "Sure",
  state_parsed: "parsed", state_work: "in work", state_done: "done", state_disputed: "disputed",
  noTexts: "There is no text yet. Paste one, or drop a file here.", noneFound: "No text has this in its title or name.", measuring: "{0} of {1} texts parsed", imported: "{0} taken in", chosen: "{0} chosen",
  offline: "The server does not answer. What was done before is on disk; start arsg serve again and reload.", behind: "Another window changed this text. It is shown as it is now.", otherWindow: "changed in another window",
  parseBasis: "The grammar's tree. Your first change begins a label.", complete: "finished", unfinished: "{0} of {1} steps", readOnly: "Can only be looked at", saved: "on disk",
  undo: "Undo", redo: "Redo", fit: "Fit", zoomIn: "Larger", zoomOut: "Smaller", foldAll: "Fold", unfold: "Unfold", export: "Export", mode: "Mode",
  mode_edit: "Edit", mode_steps: "Shift and reduce", mode_ask: "Questions", mode_watch: "Automaton", mode_compare: "Compare",
  edit: "Edit", why: "Why", notes: "Notes", history: "History", warnings: "Warnings", noWarnings: "Nothing odd.",
  relation: "Relation", nuclearity: "Nuclearity", attach: "Attach to …", attachTo: "Choose what EDUs {0} hold on to: arrows, Enter; Esc to leave", unlink: "Unlink", raise: "Span above", lower: "Level below", multinuc: "Multinuclear above", cut: "Cut the EDU", joinNext: "Join with the next EDU", fold: "Fold", note: "Note", noteHelp: "A note on this node",
  choose: "Click a node, or walk with the arrow keys.", satellite: "Satellite", nucleus: "Nucleus", asSatellite: "as satellite", asNucleus: "as nucleus", text: "Text", words: "words",
  pickRelation: "Relation of {0} and {1}", typeLetters: "Type a few letters", proposed: "the grammar: {0}", onlyMultinuc: "several nuclei", definition: "Definition", example: "Example", cues: "Words", noRelation: "No relation has these letters.",
  cutHelp: "Click between two characters, or move with the arrow keys; Enter cuts.", cutHere: "Cut here", firstHalf: "The first half keeps its links.",
  warn_unattached: "EDUs {0} hold on to nothing", warn_stacked: "{1} satellites of one relation stacked on EDUs {0}: do they belong together first?", "warn_unknown-relation": "EDUs {0}: the schema does not know this relation", "warn_other-kind": "EDUs {0}: nuclearity and relation do not go together", "warn_crosses-sentence": "EDUs {0} join a part of a sentence with what stands outside of it",
  act_shift: "shift", act_reduce: "reduce", act_undo: "undo", act_redo: "redo", act_attach: "attach", act_relate: "relation", act_unlink: "unlink", act_cut: "cut", act_unite: "join EDUs", act_take: "take over a tree", act_answer: "answer", act_note: "note", act_signal: "signal", act_edge: "secondary edge", act_edit: "edit", act_remark: "remark",
  whyLoading: "Asking the grammar …", whyNone: "The grammar's own tree has no such node.", step: "Step", decided: "Decided", forIt: "for it", againstIt: "against it", runnerUp: "Runner-up", probability: "Probability", attributes: "Attributes", turns: "What would turn it", outvoted: "Outvoted", rule: "Rule", ruleNodes: "Other nodes it made", right: "right", wrong: "wrong", looked: "{0} texts looked through", writeRule: "A rule that would turn it", joinOf: "What the nodes became", actionOf: "Shift or reduce", chosenOf: "{0} rather than {1}", fallback: "No rule covers this step: {0}", forcedStep: "There was nothing else to do.", spoke: "Spoke", atCursor: "Copy", copied: "copied", inGrammar: "Open in the grammar", rivalIs: "Weigh against", openText: "Open",
  stack: "Stack", next: "Next", proposal: "The grammar's proposal", accept: "Accept", startOver: "Begin anew", finishedSteps: "The tree is finished.", stepsHelp: "Enter accepts, ↓ and ↑ choose another, S shifts, R reduces with another relation, U takes back.", otherRelation: "Another relation …", reason: "Why (a formula, may be left empty)",
  askTogether: "Do these EDUs belong together?", yes: "Yes", no: "No", skip_: "Skip", askDone: "No question is left: the draws agree.", askTrees: "{0} different trees are left, {1} open questions", takeTree: "Take this tree", askShare: "{0} of the draws say so", answers: "Answers", withdraw: "Take back", askNone: "The answers contradict each other: no tree is left.", asked: "asked {0}",
  back: "Back", forward: "Forward", force: "What if …", forced: "What would come of it", realTree: "The grammar's own tree", steps: "Steps", takeForced: "Take this tree", 
  left: "Left", right_: "Right", takeLeft: "Take the left", takeRight: "Take the right", differences: "Differences", same: "Both trees are the same.", otherEdus: "The two sides divide the text into different EDUs: nodes cannot be taken over.", only_left: "only on the left", only_right: "only on the right", diff_roles: "other nuclearity", diff_relation: "other relation", notTwo: "There is nothing to compare with yet: finish a label first.", takenInto: "taken into your label",
  files: "Files", noGrammar: "This folder is no project: its grammar ships with the program. `arsg init` begins a project.", check: "Problems", effect: "What the change does", effectHelp: "Cases that turn, trees that change, figures against trees by hand.", cases: "Cases", turned: "turned", stillGreen: "{0} pass", stillRed: "{0} fail", changedTrees: "{0} of {1} trees change", againstGold: "Against {0} trees by hand", before: "before", after: "after", unsaved: "not saved", saveFile: "Save and lay out", inUse: "saved, and in use now", notInUse: "saved; the grammar has errors and the old one stays in use", noProblems: "No problems.", computing: "Parsing …", noChange: "Nothing changes.", discard: "Discard the changes in {0}?", line: "line {0}",
  length: "Length (10, 5%, 300w)", summarize: "Summarize", chooseTexts: "Choose texts in the list first.", contradicts: "contradicted by {0}",
  signals: "Signals", addSignal: "Add a signal", type: "Type", subtype: "Subtype", edges: "Secondary edges", addEdge: "Add a secondary edge", to: "To EDUs", remove: "Remove", add: "Add",
  keysTitle: "Keys", theme_auto: "as the system", theme_light: "light", theme_dark: "dark", minimap: "Overview", loading: "Loading …", parsing: "Parsing …", format: "Format", one: "this text", all: "all labelled texts", busyHelp: "Another program has this label open. It becomes yours to change as soon as that one is closed.", fresh: "Refresh", suggestedBy: "by {0}", unattachedNext: "nothing stands beside it", nameIn: "as {0}", noEdus: "This text has no EDUs: nothing in it is content.", rules: "Rules", rulesHelp: "Correct the tree first: then the library looks for rules that make the grammar right where you corrected it, and tries each on the trees by hand.", proposeRules: "Propose rules", asWanted: "The grammar makes this tree already.", doesIt: "does it", doesPart: "goes a part of the way", otherNodes: "{0} other nodes of this text change", effectGold: "spoke {0} times in trees by hand: {1} right, {2} wrong", acceptRule: "Accept, with a case", accepted: "written: {0}", showTree: "Its tree", shouldBe: "should be",
};

const ZH = {
  skip: "跳到正文", texts: "文本", grammar: "语法", summary: "摘要", tree: "树图", list: "缩进列表", compare: "对照",
  language: "English", theme: "外观", help: "按键", name: "你的名字", nameHelp: "标注保存在这个名字下。", save: "保存", cancel: "取消", close: "关闭",
  search: "查找文本", paste: "粘贴文本", pasteHelp: "一行一段。文本保存为 texts 文件夹里的文件。", pasteName: "名称（可不填）", pasteShow: "保存并显示树",
  import: "导入文件", importHelp: "把 rs3、rs4、dis、rsd、txt、JSONL 文件拖到页面任意处即可。", exportAll: "导出", order: "排序", orderCorpus: "按语料顺序", orderWorth: "最值得人看的在前", orderTitle: "按标题", orderEdus: "长的在前", orderState: "按状态",
  title: "标题", edus: "EDU", state: "状态", annotators: "标注者", minutes: "分钟", confidence: "把握",
  state_parsed: "已分析", state_work: "标注中", state_done: "完成", state_disputed: "有分歧",
  noTexts: "还没有文本。粘贴一篇，或把文件拖到这里。", noneFound: "没有标题或名称含有这些字的文本。", measuring: "已分析 {0} / {1} 篇", imported: "导入 {0} 篇", chosen: "已选 {0} 篇",
  offline: "服务器没有应答。此前的操作都已存盘；请重新运行 arsg serve，再刷新页面。", behind: "另一个窗口改动了这篇文本，现在显示的是最新状态。", otherWindow: "另一个窗口作了改动",
  parseBasis: "这是语法分析出的树。你的第一处改动会新建标注。", complete: "已完成", unfinished: "{0} / {1} 步", readOnly: "只能查看", saved: "已存盘",
  undo: "撤销", redo: "重做", fit: "适合窗口", zoomIn: "放大", zoomOut: "缩小", foldAll: "折叠", unfold: "展开", export: "导出", mode: "方式",
  mode_edit: "编辑", mode_steps: "移进与归约", mode_ask: "问答", mode_watch: "自动机", mode_compare: "对照",
  edit: "编辑", why: "原因", notes: "备注", history: "历史", warnings: "提醒", noWarnings: "没有可疑之处。",
  relation: "关系", nuclearity: "核性", attach: "连接到……", attachTo: "选择 EDU {0} 要连接的结点：方向键移动，Enter 确定，Esc 退出", unlink: "断开", raise: "上移一层", lower: "下移一层", multinuc: "并列（多核）", cut: "切开这个 EDU", joinNext: "与后一个 EDU 合并", fold: "折叠", note: "备注", noteHelp: "给这个结点写备注",
  choose: "点击结点，或用方向键移动。", satellite: "卫星", nucleus: "核心", asSatellite: "作卫星", asNucleus: "作核心", text: "文字", words: "词",
  pickRelation: "{0} 与 {1} 的关系", typeLetters: "输入几个字母或汉字", proposed: "语法认为：{0}", onlyMultinuc: "多核", definition: "定义", example: "例子", cues: "标记词", noRelation: "没有含这些字母的关系。",
  cutHelp: "在两个字之间点击，或用方向键移动光标；Enter 切开。", cutHere: "在此切开", firstHalf: "前一半保留原来的连接。",
  warn_unattached: "EDU {0} 没有连接", warn_stacked: "EDU {0}：同一关系的 {1} 个卫星叠在一起，是否应先彼此相连？", "warn_unknown-relation": "EDU {0}：模式里没有这个关系", "warn_other-kind": "EDU {0}：核性与关系不符", "warn_crosses-sentence": "EDU {0} 把句子的一部分与句外的内容连在一起",
  act_shift: "移进", act_reduce: "归约", act_undo: "撤销", act_redo: "重做", act_attach: "连接", act_relate: "改关系", act_unlink: "断开", act_cut: "切开", act_unite: "合并 EDU", act_take: "采用整棵树", act_answer: "回答", act_note: "备注", act_signal: "信号", act_edge: "次级边", act_edit: "编辑", act_remark: "备注",
  whyLoading: "正在询问语法……", whyNone: "语法自己的树里没有这个结点。", step: "步骤", decided: "结论", forIt: "支持", againstIt: "反对", runnerUp: "次选", probability: "概率", attributes: "属性", turns: "怎样才会改变", outvoted: "被压倒的", rule: "规则", ruleNodes: "它造出的其他结点", right: "对", wrong: "错", looked: "看过 {0} 篇文本", writeRule: "能改变结果的规则", joinOf: "两个结点合成什么", actionOf: "移进还是归约", chosenOf: "选 {0}，不选 {1}", fallback: "没有规则管这一步：{0}", forcedStep: "没有别的选择。", spoke: "发言者", atCursor: "复制", copied: "已复制", inGrammar: "在语法中打开", rivalIs: "与之比较", openText: "打开",
  stack: "栈", next: "下一个", proposal: "语法的建议", accept: "接受", startOver: "从头开始", finishedSteps: "树已完成。", stepsHelp: "Enter 接受，↓ ↑ 改选，S 移进，R 用其他关系归约，U 撤销。", otherRelation: "其他关系……", reason: "理由（公式，可不填）",
  askTogether: "这些 EDU 是不是一个整体？", yes: "是", no: "不是", skip_: "跳过", askDone: "没有问题了：各次抽样已一致。", askTrees: "还剩 {0} 棵不同的树，{1} 个问题", takeTree: "采用这棵树", askShare: "{0} 的抽样认为是", answers: "回答", withdraw: "收回", askNone: "回答互相矛盾，没有树能满足。", asked: "已问 {0} 个",
  back: "后退", forward: "前进", force: "假如……", forced: "那样会得到", realTree: "语法自己的树", steps: "步骤", takeForced: "采用这棵树",
  left: "左", right_: "右", takeLeft: "采用左边", takeRight: "采用右边", differences: "差别", same: "两棵树相同。", otherEdus: "两边的 EDU 切分不同，不能逐个采用。", only_left: "只在左边", only_right: "只在右边", diff_roles: "核性不同", diff_relation: "关系不同", notTwo: "还没有可对照的树：请先完成一份标注。", takenInto: "已写入你的标注",
  files: "文件", noGrammar: "这个文件夹不是项目，用的是程序自带的语法。`arsg init` 可新建项目。", check: "问题", effect: "改动的效果", effectHelp: "哪些用例翻转，哪些树改变，与人工树相比的分数。", cases: "用例", turned: "翻转", stillGreen: "{0} 个通过", stillRed: "{0} 个不通过", changedTrees: "{1} 棵树中 {0} 棵改变", againstGold: "与 {0} 棵人工树相比", before: "改前", after: "改后", unsaved: "未保存", saveFile: "排版并保存", inUse: "已保存，并已启用", notInUse: "已保存；语法有错，仍用旧的", noProblems: "没有问题。", computing: "正在分析……", noChange: "没有变化。", discard: "放弃 {0} 中的改动？", line: "第 {0} 行",
  length: "长度（10、5%、300w）", summarize: "生成摘要", chooseTexts: "请先在列表里选文本。", contradicts: "与 {0} 矛盾",
  signals: "信号", addSignal: "添加信号", type: "类型", subtype: "子类", edges: "次级边", addEdge: "添加次级边", to: "到 EDU", remove: "删除", add: "添加",
  keysTitle: "按键", theme_auto: "跟随系统", theme_light: "浅色", theme_dark: "深色", minimap: "全图", loading: "载入中……", parsing: "分析中……", format: "格式", one: "这篇文本", all: "所有有标注的文本", busyHelp: "另一个程序正打开着这份标注；它一关闭，这里就可以编辑。", fresh: "刷新", suggestedBy: "依据 {0}", unattachedNext: "旁边没有结点", nameIn: "身份：{0}", noEdus: "这篇文本没有 EDU：没有可分析的正文。", rules: "规则", rulesHelp: "先改正这棵树，然后在这里寻找能让语法自己作对的规则；每条规则都会在人工树上试过。", proposeRules: "提出规则", asWanted: "语法已经能分析出这棵树。", doesIt: "能改对", doesPart: "只改对一部分", otherNodes: "本文还有 {0} 个结点改变", effectGold: "在人工树中发言 {0} 次：{1} 对，{2} 错", acceptRule: "接受，并加用例", accepted: "已写入：{0}", showTree: "所得的树", shouldBe: "应为",
};

const KEYS = [
  ["← → ↑ ↓", "walk from node to node", "在结点间移动"],
  ["Home / End", "first and last EDU", "第一个、最后一个 EDU"],
  ["Enter / R", "relation of the node's children, with its definition", "改下面两部分的关系（附定义）"],
  ["N", "next nuclearity", "换核性"],
  ["A … Enter", "attach the node to another", "把结点连接到另一个"],
  ["Alt ↑ / Alt ↓", "one span up / one level down", "上移一层 / 下移一层"],
  ["M", "several nuclei above", "在上面做多核"],
  ["X / Delete", "unlink", "断开"],
  ["C / J", "cut an EDU / join it with the next", "切开 EDU / 与后一个合并"],
  ["Z / Y, Ctrl Z", "undo / redo", "撤销 / 重做"],
  ["Space", "fold", "折叠"],
  ["W", "why is it so?", "为什么是这样"],
  ["T", "note", "备注"],
  ["+ − 0", "larger, smaller, fit", "放大、缩小、适合窗口"],
  ["1 … 5", "edit, shift and reduce, questions, automaton, compare", "编辑、移进归约、问答、自动机、对照"],
  ["L", "tree or indented list", "树图或列表"],
  ["?", "these keys", "本表"],
];

function stored(name) { try { return localStorage.getItem(name); } catch { return null; } }
export function store(name, value) { try { localStorage.setItem(name, value); } catch { /* a private window keeps nothing */ } }

let language = stored("arsg-language") || (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");

export const current = () => language;
export function speak(wanted) { language = wanted; store("arsg-language", wanted); }
export const named = () => stored("arsg-name") || "";
export const theme = () => stored("arsg-theme") || "auto";
export const keysList = () => KEYS.map(([keys, en, zh]) => [keys, language === "zh" ? zh : en]);

export function t(word, ...values) {
  const text = (language === "zh" ? ZH : EN)[word] ?? EN[word] ?? word;
  return text.replace(/\{(\d)\}/g, (_, at) => values[Number(at)] ?? "");
}

// What the server refuses, in the language of the page where that is common.
const REFUSALS = [
  [/EDUs (\S+) and EDUs (\S+) are no neighbours/, (m) => `EDU ${m[1]} 与 EDU ${m[2]} 不相邻：先把中间的部分连到其中一边`],
  [/EDUs (\S+) stand inside EDUs (\S+)/, (m) => `EDU ${m[1]} 在 EDU ${m[2]} 之内，请先断开`],
  [/nothing to take back/, () => "没有可撤销的操作"],
  [/nothing to do again/, () => "没有可重做的操作"],
  [/stands by itself already/, () => "这个结点本来就没有连接"],
  [/last of its paragraph/, () => "这是段落的最后一个 EDU，不能跨行合并"],
  [/cannot be cut before/, () => "切开后有一边是空的"],
  [/somebody is working on/, () => "另一个程序正在编辑这份标注"],
];

export function refused(error) {
  if (error.kind === "offline") return t("offline");
  const text = error.message || String(error);
  if (language !== "zh") return error.help ? `${text} — ${error.help}` : text;
  for (const [pattern, say] of REFUSALS) {
    const found = text.match(pattern);
    if (found) return say(found);
  }
  return text;
}
