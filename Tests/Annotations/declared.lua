--- What scripts/types says that there is: for each class the set of its names, those of its parents among them.
local folder = debug.getinfo(1, "S").source:match "^@(.*)/" .. "/../../scripts/types/"

local function class_of(classes, name)
  classes[name] = classes[name] or { names = {}, optional = {}, parents = {} }
  return classes[name]
end

--- Reads lines such as `---@class NAME: PARENT`, `---@field NAME TYPE` and `function VARIABLE:NAME(`. A variable is of
--- the class that was declared last.
local function read(file)
  local classes, of_variable, current = {}, {}, nil
  for line in io.lines(folder .. file) do
    local name, parents = line:match "^%-%-%-@class ([%w_.]+):?%s*([^#]*)"
    if name then
      current = class_of(classes, name)
      for parent in parents:gmatch "[%w_.]+" do current.parents[#current.parents + 1] = class_of(classes, parent) end
    end
    local field, optional = line:match "^%-%-%-@field ([%a_][%w_]*)(%??) "
    if field then
      current.names[field] = true
      current.optional[field] = optional ~= ""
    end
    local variable = line:match "^local ([%w_]+) = {}"
    if variable then of_variable[variable] = current end
    local owner, method = line:match "^function ([%w_]+)[.:]([%w_]+)%("
    if owner then assert(of_variable[owner], file .. ": whose is " .. line).names[method] = true end
  end
  return classes
end

local function inherit(class)
  for _, parent in ipairs(class.parents) do
    inherit(parent)
    for name in pairs(parent.names) do class.names[name] = true end
  end
  class.parents = {}
end

return function(file)
  local classes = read(file)
  for _, class in pairs(classes) do inherit(class) end
  return classes
end
