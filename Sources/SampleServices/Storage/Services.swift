/// The items of a list in the file `items.jsonl`.
public typealias FileItemsService = FileService<ItemsDocument>

/// The history of a list in the file `items-history.jsonl`, next to the list.
public typealias FileItemsHistoryService = FileService<ItemsHistoryDocument>

/// A user's settings in the file `settings.json`.
public typealias FileSettingsService = FileService<JSONDocument<UserSettings>>

/// The users in the file `users.json`.
public typealias FileUsersService = FileService<JSONDocument<UserDirectory>>

/// The items of a list, in memory.
public typealias InMemoryItemsService = InMemoryService<[Item]>

/// The history of a list, in memory.
public typealias InMemoryItemsHistoryService = InMemoryService<ItemsHistory>

/// A user's settings, in memory.
public typealias InMemorySettingsService = InMemoryService<UserSettings>

/// The users, in memory.
public typealias InMemoryUsersService = InMemoryService<UserDirectory>
