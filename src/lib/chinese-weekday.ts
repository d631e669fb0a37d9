const weekOffsets = new Map([
  ['上上', -2],
  ['上', -1],
  ['这', 0],
  ['本', 0],
  ['下下', 2],
  ['下', 1],
]);
const measureWord = '个';
const weekWords = ['周', '星期', '礼拜'];
/** From Monday. Sunday has two names. */
const weekdays = '一二三四五六日天';

const pattern = new RegExp(`(${[...weekOffsets.keys()].join('|')})${measureWord}?(?:${weekWords.join('|')})([${weekdays}])`, 'g');

/** Writes "下周五" as a date. A week starts on Monday in China, and on Sunday for chrono-node. */
export function replaceChineseWeekdays(text: string, now: Date): string {
  return text.replaceAll(pattern, (_match, week: string, weekday: string) => {
    const mondayOffset = (now.getDay() + 6) % 7;
    const weekdayIndex = Math.min(weekdays.indexOf(weekday), 6);
    const days = (weekOffsets.get(week) ?? 0) * 7 + weekdayIndex - mondayOffset;
    const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
    return `${date.getFullYear()}年${date.getMonth() + 1}月${date.getDate()}日`;
  });
}
