/** Only errors that the sign-in page may show. */
export const signInErrors = {
  code: {
    BAD_REQUEST: '提交的内容有误，请检查后重试。',
    UNAUTHORIZED: '登录已失效，请重新登录。',
    SIGN_IN_FAILED: '账户或密码不正确，请重新输入。',
    FORBIDDEN: '您没有此操作的权限，请联系管理员。',
    NOT_FOUND: '该记录已不存在，请刷新列表。',
    TOO_MANY_REQUESTS: '操作过于频繁，请稍后再试。',
    INTERNAL: '发生错误，请重试！',
    UNAVAILABLE: '服务暂时不可用，请稍后再试。',
    MAIL_FAILED: '验证码邮件发送失败，请稍后重试或联系系统管理员。',
    MAIL_OFF: '邮件服务未配置，无法发送验证码，请联系系统管理员。',
    OFFLINE: '网络已断开，未做任何修改。请检查网络后重试。',
  },
  generic: '发生错误，请重试！',
  requestId: '请求编号 {{id}}',
};
