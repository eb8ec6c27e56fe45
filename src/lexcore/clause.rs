//! One clause: which of its words are states, and what fills the places around them.

use std::ops::Range;

use super::phrase::{Phrase, Role, phrases};
use super::{Found, Part};
use crate::schema::{ConceptKind, RelationId, Schema};
use crate::text::words::{List, Punctuation, Tag, Word};

/// A clause being read.
pub(super) struct Clause<'a> {
    pub(super) words: &'a [Word],
    text: &'a str,
    schema: &'a Schema,
    phrases: Vec<Phrase>,
    /// Whether states are the schema's triggers, or all verbs and events of the language.
    by_triggers: bool,
}

/// A state with what stands around it in its clause.
#[derive(Debug)]
pub(super) struct Found4 {
    pub(super) state: Part,
    pub(super) relation: Option<RelationId>,
    pub(super) agent: Option<Part>,
    pub(super) object: Option<Part>,
    pub(super) amount: Option<Part>,
    pub(super) basis: Option<Part>,
    pub(super) negated: bool,
    /// What changes is left out: it may be taken from the clause before.
    pub(super) wants_object: bool,
}

impl<'a> Clause<'a> {
    pub(super) fn new(
        words: &'a [Word],
        text: &'a str,
        schema: &'a Schema,
        by_triggers: bool,
    ) -> Clause<'a> {
        Clause {
            phrases: phrases(words, text),
            words,
            text,
            schema,
            by_triggers,
        }
    }

    /// The states of the clause with their arguments, left to right.
    pub(super) fn cores(&self) -> Vec<Found4> {
        let states = self.states();
        let mut cores = Vec::with_capacity(states.len());
        for (number, &(at, found)) in states.iter().enumerate() {
            let before = number.checked_sub(1).map(|earlier| states[earlier].0);
            let after = states.get(number + 1).map(|later| later.0);
            cores.push(self.read_state(at, found, before, after));
        }
        cores
    }

    /// Who the clause is about, for clauses that leave it out: its first free phrase that can act.
    pub(super) fn topic(&self) -> Option<Part> {
        let speech = self.words.iter().any(|word| word.is(List::Speech));
        if speech {
            return None;
        }
        self.phrases
            .iter()
            .find(|phrase| phrase.role == Role::Free && phrase.can_act(self.words, self.schema))
            .map(|phrase| self.part(&phrase.words, Found::Subject))
    }

    fn states(&self) -> Vec<(usize, Found)> {
        (0..self.words.len())
            .filter_map(|at| self.state_at(at).map(|found| (at, found)))
            .collect()
    }

    fn state_at(&self, at: usize) -> Option<Found> {
        let word = &self.words[at];
        if self.by_triggers {
            let relation = word.trigger()?;
            let core = self.schema.relations.get(relation.0 as usize)?.core;
            return (core && !self.modifies(at) && !word.is(List::Speech))
                .then_some(Found::Trigger);
        }
        match word.tag {
            _ if word.is(List::Event) && self.is_event(at) => Some(Found::Event),
            Tag::Verb if self.is_plain_verb(at) => Some(Found::Verb),
            Tag::VerbalNoun if self.follows_light_verb(at) && self.is_head(at) => {
                Some(Found::Event)
            }
            _ => None,
        }
    }

    /// A verb that tells something by itself.
    fn is_plain_verb(&self, at: usize) -> bool {
        const ONE_CHARACTER: usize = 3;
        let word = &self.words[at];
        let lists = [
            List::Stop,
            List::Modal,
            List::Speech,
            List::Cognition,
            List::Empty,
        ];
        if lists.into_iter().any(|list| word.is(list)) || self.modifies(at) {
            return false;
        }
        if word.length() <= ONE_CHARACTER && !self.strong_single(at) {
            return false;
        }
        !(word.is(List::Light) && self.verb_or_event_follows(at))
    }

    /// 撞了, 死5人: a verb of one character tells something when something hangs on it.
    fn strong_single(&self, at: usize) -> bool {
        const TELLING: &[&str] = &[
            "撞", "死", "伤", "杀", "抢", "偷", "烧", "砸", "炸", "打", "捕", "抓", "救", "逃",
            "跳", "坠", "沉", "涨", "跌", "赴", "抵", "回", "送", "埋", "毁", "压", "震", "判",
            "查", "罚", "买", "卖", "赢", "输", "胜", "败",
        ];
        TELLING.contains(&self.words[at].text(self.text))
    }

    fn verb_or_event_follows(&self, at: usize) -> bool {
        self.words[at + 1..].iter().any(|word| {
            word.is(List::Event)
                || word.tag == Tag::VerbalNoun
                || (word.tag == Tag::Verb && !word.is(List::Stop) && !word.is(List::Complement))
        })
    }

    /// A noun that is an event: brought by a light verb, leading to one, or all that is told.
    fn is_event(&self, at: usize) -> bool {
        if !self.is_head(at) {
            return false;
        }
        if self.words[at].tag == Tag::Verb {
            return !self.modifies(at);
        }
        self.follows_light_verb(at) || self.leads_on(at) || !self.has_plain_verb()
    }

    fn follows_light_verb(&self, at: usize) -> bool {
        const NEAR: usize = 8;
        self.words[at.saturating_sub(NEAR)..at]
            .iter()
            .any(|word| word.is(List::Light))
    }

    /// 地震造成…, 火灾发生后, 事故中: something follows from the event.
    fn leads_on(&self, at: usize) -> bool {
        let next = self
            .words
            .get(at + 1..)
            .and_then(|rest| rest.iter().find(|word| word.tag != Tag::Adverb));
        next.is_some_and(|word| {
            word.is(List::Empty) || matches!(word.text(self.text), "后" | "中" | "时" | "致" | "已")
        })
    }

    fn has_plain_verb(&self) -> bool {
        (0..self.words.len()).any(|at| self.words[at].tag == Tag::Verb && self.is_plain_verb(at))
    }

    /// Not the first half of a compound: 事故 in 事故现场.
    fn is_head(&self, at: usize) -> bool {
        self.words.get(at + 1).is_none_or(|next| {
            !(next.tag.is_nominal() && !next.is(List::Event)) && next.tag != Tag::De
        })
    }

    /// 上涨的股票, 上市公司, 投资需求: the word only modifies what follows.
    fn modifies(&self, at: usize) -> bool {
        let Some(next) = self.words.get(at + 1) else {
            return false;
        };
        if next.tag == Tag::De {
            // 的 at the end only affirms: 是公司提供的。
            return self
                .words
                .get(at + 2)
                .is_some_and(|word| word.punctuation == Punctuation::None);
        }
        let word = &self.words[at];
        if self.inside_compound(at) {
            return true;
        }
        // 是/有 + 计划 ... : a noun by position.
        let after_de = at > 0 && self.words[at - 1].tag == Tag::De;
        (after_de && word.tag != Tag::Verb)
            || (after_de && next.tag == Tag::Verb && next.trigger().is_none())
    }

    /// A verb that stands directly before a general noun and can name a kind of it.
    fn inside_compound(&self, at: usize) -> bool {
        let Some(next) = self.words.get(at + 1) else {
            return false;
        };
        let text = next.text(self.text);
        COMPOUND_HEADS.contains(&text) && next.concept().is_none_or(|_| is_kind_noun(text))
    }

    fn read_state(
        &self,
        at: usize,
        found: Found,
        before: Option<usize>,
        after: Option<usize>,
    ) -> Found4 {
        let word = &self.words[at];
        let relation = word.trigger().filter(|_| self.by_triggers);
        let subject_changes = relation
            .and_then(|id| self.schema.relations.get(id.0 as usize))
            .is_some_and(|relation| relation.subject == ConceptKind::Object)
            || (!self.by_triggers && found == Found::Event);
        let subjects = self.subjects(at, before);
        let behind = self.object_behind(at, after);
        let by = self.before_state(at, Role::By);
        let ba = self.before_state(at, Role::Ba);
        let (agent, object) = if let Some(by) = by {
            let patient = subjects.last().map(|p| self.part(&p.words, Found::Subject));
            (Some(self.part(&by.words, Found::By)), patient.or(behind))
        } else if self.passive_without_agent(at) {
            let patient = subjects.last().map(|p| self.part(&p.words, Found::Subject));
            (None, patient.or(behind))
        } else if let Some(ba) = ba {
            let agent = subjects
                .first()
                .map(|p| self.part(&p.words, Found::Subject));
            (agent, Some(self.part(&ba.words, Found::Ba)))
        } else if subject_changes && behind.is_none() {
            self.what_changes(&subjects)
        } else {
            self.who_does(&subjects, behind, at)
        };
        Found4 {
            state: self.part(&(at..at + 1), found),
            relation,
            wants_object: subject_changes && object.is_none(),
            agent,
            object,
            amount: self.amount_behind(at),
            basis: self.basis_before(at),
            negated: self.negated(at),
        }
    }

    /// The free phrases that can be the subject of the state: those behind the last verb that is
    /// not a mere helper; if there are none, those before it.
    fn subjects(&self, at: usize, before: Option<usize>) -> Vec<&Phrase> {
        let own: Vec<&Phrase> = self
            .phrases
            .iter()
            .filter(|phrase| phrase.words.end <= at && self.can_be_subject(phrase))
            .collect();
        let barrier = self.words[..at]
            .iter()
            .rposition(|word| self.opens_new_subject(word))
            .max(before.filter(|_| false));
        let behind: Vec<&Phrase> = own
            .iter()
            .copied()
            .filter(|phrase| barrier.is_none_or(|verb| phrase.words.start > verb))
            .collect();
        if behind.is_empty() { own } else { behind }
    }

    fn can_be_subject(&self, phrase: &Phrase) -> bool {
        match phrase.role {
            Role::Free => true,
            Role::After(verb) => self.opens_new_subject(&self.words[verb]),
            _ => false,
        }
    }

    /// 造成, 显示, 预计, 使: what follows has a subject of its own.
    fn opens_new_subject(&self, word: &Word) -> bool {
        word.is(List::Speech)
            || word.is(List::Cognition)
            || word.is(List::Empty)
            || (word.is(List::Light) && word.tag == Tag::Verb)
    }

    /// For what changes by itself: the owner is the agent, the metric is the object.
    fn what_changes(&self, subjects: &[&Phrase]) -> (Option<Part>, Option<Part>) {
        let Some(last) = subjects.last() else {
            return (None, None);
        };
        if let Some((owner, metric)) = last.owner_and_metric(self.words, self.schema) {
            return (
                Some(self.part(&owner, Found::Owner)),
                Some(self.part(&metric, Found::Subject)),
            );
        }
        let owner = subjects[..subjects.len() - 1]
            .iter()
            .rev()
            .find(|phrase| phrase.can_act(self.words, self.schema))
            .map(|phrase| self.part(&phrase.words, Found::Owner));
        let subject = self.part(&last.words, Found::Subject);
        if owner.is_none() && last.can_act(self.words, self.schema) {
            return (Some(subject), None);
        }
        (owner, Some(subject))
    }

    /// For what somebody does: the subject is the agent, what follows is the object.
    fn who_does(
        &self,
        subjects: &[&Phrase],
        behind: Option<Part>,
        at: usize,
    ) -> (Option<Part>, Option<Part>) {
        let object = behind.or_else(|| {
            self.before_state(at, Role::Towards)
                .map(|phrase| self.part(&phrase.words, Found::Towards))
        });
        let agent = subjects
            .iter()
            .rev()
            .find(|phrase| phrase.can_act(self.words, self.schema))
            .or(subjects.last())
            .map(|phrase| self.part(&phrase.words, Found::Subject));
        (agent, object)
    }

    /// The last phrase of that role between the subject and the state.
    fn before_state(&self, at: usize, role: Role) -> Option<&Phrase> {
        self.phrases
            .iter()
            .rev()
            .find(|phrase| phrase.words.end <= at && phrase.role == role)
            .filter(|phrase| {
                !self.words[phrase.words.end..at]
                    .iter()
                    .any(|word| word.tag == Tag::Verb && !word.is(List::Light))
            })
    }

    /// 被送往: passive, and nobody says by whom.
    fn passive_without_agent(&self, at: usize) -> bool {
        self.words[..at]
            .iter()
            .rev()
            .take_while(|word| {
                matches!(
                    word.tag,
                    Tag::Adverb | Tag::Preposition | Tag::Verb | Tag::Time
                ) && !word.is(List::Speech)
            })
            .any(|word| matches!(word.text(self.text), "被" | "遭" | "获"))
    }

    /// The phrase directly behind the state, over particles, endings and amounts.
    fn object_behind(&self, at: usize, after: Option<usize>) -> Option<Part> {
        const REACH: usize = 6;
        let phrase = self
            .phrases
            .iter()
            .find(|phrase| phrase.words.start > at)
            .filter(|phrase| phrase.role == Role::After(at) || phrase.words.start == at + 1)?;
        if phrase.words.start > at + REACH || after.is_some_and(|next| next < phrase.words.start) {
            return None;
        }
        let only_number = self.words[phrase.words.clone()]
            .iter()
            .all(|word| matches!(word.tag, Tag::Number | Tag::Measure));
        (!only_number).then(|| self.part(&phrase.words, Found::Object))
    }

    fn amount_behind(&self, at: usize) -> Option<Part> {
        let mut next = at + 1;
        while self.words.get(next).is_some_and(|word| {
            word.is(List::Amount) || word.is(List::Aspect) || word.is(List::Complement)
        }) && self.words[next].tag != Tag::Number
        {
            next += 1;
        }
        let word = self.words.get(next)?;
        (word.tag == Tag::Number).then(|| self.part(&(next..next + 1), Found::Object))
    }

    fn basis_before(&self, at: usize) -> Option<Part> {
        const NEAR: usize = 4;
        let from = at.saturating_sub(NEAR);
        let basis = (from..at).rev().find(|&near| {
            matches!(
                self.words[near].text(self.text),
                "同比" | "环比" | "按年" | "按月"
            )
        })?;
        Some(self.part(&(basis..basis + 1), Found::Clause))
    }

    fn negated(&self, at: usize) -> bool {
        self.words[..at]
            .iter()
            .rev()
            .take_while(|word| word.tag != Tag::Sign && !word.tag.is_nominal())
            .any(|word| {
                matches!(
                    word.text(self.text),
                    "未" | "没有" | "没" | "不" | "不再" | "尚未" | "并未" | "未能" | "无"
                )
            })
    }

    fn part(&self, words: &Range<usize>, found: Found) -> Part {
        let start = self.words[words.start].start as usize;
        let end = self.words[words.end - 1].end as usize;
        Part::new(start..end, found)
    }
}

/// Nouns that make a kind of thing of the verb before them.
const COMPOUND_HEADS: &[&str] = &[
    "公司",
    "企业",
    "计划",
    "方案",
    "项目",
    "需求",
    "能力",
    "动力",
    "压力",
    "预期",
    "空间",
    "趋势",
    "潜力",
    "机会",
    "风险",
    "规模",
    "金额",
    "比例",
    "速度",
    "幅度",
    "水平",
    "情况",
    "资金",
    "渠道",
    "政策",
    "措施",
    "协议",
    "合同",
    "通知书",
    "公告",
    "报告",
    "数据",
    "人士",
    "机构",
    "市场",
    "行业",
    "领域",
    "板块",
    "价格",
    "周期",
    "阶段",
    "人员",
    "单位",
    "部门",
    "工作",
    "队伍",
    "现场",
    "中心",
    "系统",
    "设备",
    "过程",
    "原因",
    "方式",
    "方法",
    "活动",
    "行动",
    "事件",
    "案",
    "案件",
    "人",
    "者",
    "员",
    "队",
    "组",
    "团队",
    "平台",
    "基地",
    "产业",
    "体系",
    "模式",
    "业务",
    "服务",
    "产品",
    "成本",
    "费用",
    "收入",
    "利润",
    "总额",
    "面积",
    "数量",
    "人数",
    "时间",
    "时候",
    "地点",
    "条件",
    "环境",
    "技术",
    "标准",
    "制度",
    "机制",
    "战略",
    "格局",
    "态势",
    "势头",
    "率",
    "额",
    "量",
    "点",
    "期",
    "家",
    "方",
    "物资",
    "车辆",
    "责任",
    "意识",
    "经验",
    "知识",
    "节奏",
    "方向",
    "比赛",
    "大会",
    "会议",
    "协会",
    "专家",
    "医院",
    "学校",
    "公路",
    "道路",
    "通道",
    "办法",
    "规定",
    "要求",
    "意见",
    "信息",
    "消息",
    "新闻",
    "事故",
    "问题",
    "矛盾",
    "关系",
    "力度",
    "效果",
    "成果",
    "成绩",
    "目标",
    "任务",
    "前景",
    "资产",
    "资本",
    "股份",
    "股权",
    "基金",
    "债券",
    "组合",
    "标的",
    "主体",
    "对象",
    "用户",
    "客户",
    "窗口",
    "通知",
    "文件",
    "名单",
    "指数",
];

/// Compound heads that are concepts too, but name a kind of thing when a verb stands before them.
fn is_kind_noun(text: &str) -> bool {
    matches!(
        text,
        "公司"
            | "企业"
            | "机构"
            | "市场"
            | "行业"
            | "板块"
            | "基金"
            | "资金"
            | "项目"
            | "产业"
            | "业务"
            | "产品"
            | "服务"
            | "平台"
            | "成本"
            | "费用"
            | "需求"
            | "规模"
            | "政策"
            | "技术"
    )
}
