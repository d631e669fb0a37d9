const weekOffsets: Readonly<Record<string, number>> = { 上上: -2, 上: -1, 这: 0, 本: 0, 下: 1, 下下: 2 };

/** Writes "下周五" as a date. A week starts on Monday in China, and on Sunday for chrono-node. */
export function replaceChineseWeekdays(text: string, now: Date): string {
  return text.replaceAll(
    /(上上|上|这|本|下下|下)个?(?:周|星期|礼拜)([一二三四五六日天])/g,
    (_match, week: string, weekday: string) => {
      const mondayOffset = (now.getDay() + 6) % 7;
      const days = (weekOffsets[week] ?? 0) * 7 + '一二三四五六日'.indexOf(weekday.replace('天', '日')) - mondayOffset;
      const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
      return `${date.getFullYear()}年${date.getMonth() + 1}月${date.getDate()}日`;
    },
  );
}
