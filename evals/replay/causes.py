"""What can be wrong: causes with how they look, how they are checked, and how people word them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CAUSES", "SIGNALS", "Cause", "named_in"]


@dataclass(frozen=True)
class Cause:
    """A cause in English and Chinese, and what a check of it shows where it is so and where it is not."""

    id: str
    en: str
    zh: str
    tool: str
    query: str
    yes: tuple[str, str]
    no: tuple[str, str]


CAUSES: tuple[Cause, ...] = (
    Cause(
        "expired-certificate",
        "an expired client certificate",
        "客户端证书过期",
        "openssl",
        "x509 -enddate",
        yes=("notAfter lies in the past", "证书有效期已过"),
        no=("notAfter lies 212 days ahead", "证书还有 212 天到期"),
    ),
    Cause(
        "full-pool",
        "an exhausted connection pool",
        "连接池耗尽",
        "psql",
        "pg_stat_activity",
        yes=("100 of 100 connections are taken", "100 个连接全部占用"),
        no=("7 of 100 connections are taken", "100 个连接占用 7 个"),
    ),
    Cause(
        "held-locks",
        "a migration that held locks",
        "迁移任务持有锁",
        "psql",
        "pg_locks",
        yes=("412 sessions wait for one lock", "412 个会话等待同一个锁"),
        no=("no session waits for a lock", "没有会话等待锁"),
    ),
    Cause(
        "bad-release",
        "a release with a wrong timeout",
        "新版本超时配置错误",
        "ci",
        "deployments",
        yes=("a release went out 4 minutes before", "4 分钟前有一次发布"),
        no=("no release for 9 days", "9 天内没有发布"),
    ),
    Cause(
        "out-of-memory",
        "a memory leak in the worker",
        "工作进程内存泄漏",
        "kubernetes",
        "events",
        yes=("last state OOMKilled", "上次状态 OOMKilled"),
        no=("last state Completed", "上次状态 Completed"),
    ),
    Cause(
        "missing-secret",
        "a secret that was rotated away",
        "密钥轮换后缺失",
        "kubernetes",
        "describe secret",
        yes=("secret not found", "未找到密钥"),
        no=("secret is mounted", "密钥已挂载"),
    ),
    Cause(
        "full-disk",
        "a log volume that filled up",
        "日志卷写满",
        "prometheus",
        "node_filesystem_avail_bytes",
        yes=("0 bytes are left", "剩余 0 字节"),
        no=("61 % of the volume is free", "卷剩余 61 %"),
    ),
    Cause(
        "slow-disk",
        "a degraded storage array",
        "存储阵列降级",
        "prometheus",
        "fsync latency p99",
        yes=("fsync takes 2.4 s at p99", "fsync p99 为 2.4 秒"),
        no=("fsync takes 3 ms at p99", "fsync p99 为 3 毫秒"),
    ),
    Cause(
        "dns-change",
        "a DNS record that was changed",
        "DNS 记录被修改",
        "dig",
        "A record",
        yes=("the record points to the old address", "记录指向旧地址"),
        no=("the record is right", "记录正确"),
    ),
    Cause(
        "rate-limited",
        "a rate limit at the provider",
        "供应商限流",
        "logs",
        "status 429",
        yes=("the provider answers 429", "供应商返回 429"),
        no=("the provider answers 200", "供应商返回 200"),
    ),
    Cause(
        "double-job",
        "a job that was scheduled twice",
        "任务被重复调度",
        "logs",
        "job runs",
        yes=("the job ran twice at once", "任务同时运行两次"),
        no=("the job ran once", "任务运行一次"),
    ),
    Cause(
        "lagging-replica",
        "a replica that lagged behind",
        "只读副本延迟",
        "psql",
        "pg_stat_replication",
        yes=("the replica is 22 minutes behind", "副本落后 22 分钟"),
        no=("the replica is 0 s behind", "副本落后 0 秒"),
    ),
)
# Each signal with the causes that look alike under it, and how it is worded.
SIGNALS: dict[str, tuple[tuple[str, ...], str, str]] = {
    "HighErrorRate": (
        ("expired-certificate", "full-pool", "bad-release", "rate-limited"),
        "many requests fail",
        "大量请求失败",
    ),
    "HighLatency": (
        ("held-locks", "slow-disk", "full-pool", "lagging-replica"),
        "requests take long",
        "请求变慢",
    ),
    "PodCrashLooping": (
        ("out-of-memory", "missing-secret", "bad-release", "full-disk"),
        "containers start again and again",
        "容器反复重启",
    ),
    "QueueBacklog": (
        ("double-job", "held-locks", "dns-change", "rate-limited"),
        "the queue grows",
        "队列积压",
    ),
    "StaleReads": (
        ("lagging-replica", "double-job", "dns-change", "slow-disk"),
        "old values are shown",
        "显示旧数据",
    ),
}


def named_in(text: str) -> str | None:
    """The cause that a text words, in whichever language; None for none, or for several."""
    plain = text.casefold()
    found = [one.id for one in CAUSES if one.en.casefold() in plain or one.zh in plain]
    return found[0] if len(found) == 1 else None
